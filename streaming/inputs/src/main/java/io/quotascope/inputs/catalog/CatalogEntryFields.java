package io.quotascope.inputs.catalog;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The fields of one service in a catalog file; they are named as in
 * schemas/service_catalog_entry.avsc.
 */
final class CatalogEntryFields {
    static final InputFile.Form FORM =
            InputFile.Form.of(
                    "entries",
                    List.of(),
                    List.of(
                            "cluster",
                            "service",
                            "catalog_version",
                            "team",
                            "owner",
                            "reserved_millicores",
                            "price_class",
                            "timeout_us",
                            "retries",
                            "slo_us",
                            "horizon_us",
                            "redistributes_load",
                            "memory_floor_bytes",
                            "memory_bytes",
                            "minimum_shards",
                            "aim"));
    private static final List<String> AIMS =
            Arrays.stream(Target.Aim.values()).map(Target.Aim::label).toList();

    private CatalogEntryFields() {}

    static CatalogFile.Stated read(Fields fields) throws InvalidInputException {
        String cluster = fields.requiredText("cluster");
        if (cluster.contains("/")) {
            throw fields.fault(
                    "cluster",
                    "cluster must not contain a slash, which divides cluster and service in the topic's key, found "
                            + cluster);
        }
        OptionalLong version = fields.number("catalog_version", 1, Integer.MAX_VALUE);
        ServiceCatalogEntry entry =
                new ServiceCatalogEntry(
                        cluster,
                        fields.requiredText("service"),
                        version.orElse(1),
                        fields.text("team"),
                        fields.text("owner"),
                        fields.number("reserved_millicores", 1, Long.MAX_VALUE),
                        fields.text("price_class"),
                        new ClientPolicy(
                                fields.number("timeout_us", 1, Long.MAX_VALUE),
                                asInt(fields.number("retries", 0, Integer.MAX_VALUE)),
                                fields.number("slo_us", 1, Long.MAX_VALUE),
                                fields.number("horizon_us", 1, Long.MAX_VALUE),
                                fields.truth("redistributes_load")),
                        fields.number("memory_floor_bytes", 0, Long.MAX_VALUE),
                        fields.number("memory_bytes", 1, Long.MAX_VALUE),
                        asInt(fields.number("minimum_shards", 0, Integer.MAX_VALUE)),
                        aim(fields),
                        false);
        return new CatalogFile.Stated(fields.line(), version, entry);
    }

    private static Optional<Target.Aim> aim(Fields fields) throws InvalidInputException {
        return fields.oneOf("aim", AIMS).map(word -> Target.Aim.values()[AIMS.indexOf(word)]);
    }

    private static OptionalInt asInt(OptionalLong number) {
        return number.isPresent()
                ? OptionalInt.of(Math.toIntExact(number.getAsLong()))
                : OptionalInt.empty();
    }
}
