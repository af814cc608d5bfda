package io.quotascope.jobs.catalog;

import io.quotascope.domain.fleet.ServiceCatalogEntry;
import io.quotascope.domain.fleet.ServiceCatalogEntry.ClientPolicy;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.yaml.snakeyaml.nodes.Node;

/**
 * The fields of one service in a catalog file; they are named as in
 * schemas/service_catalog_entry.avsc.
 */
final class CatalogEntryFields {
    private static final List<String> NAMES =
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
                    "memory_floor_bytes",
                    "minimum_shards");

    private CatalogEntryFields() {}

    static CatalogFile.Stated read(String file, Node node) throws InvalidCatalogException {
        Fields fields = Fields.of(file, node, NAMES);
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
                                fields.number("slo_us", 1, Long.MAX_VALUE)),
                        fields.number("memory_floor_bytes", 0, Long.MAX_VALUE),
                        asInt(fields.number("minimum_shards", 0, Integer.MAX_VALUE)),
                        false);
        return new CatalogFile.Stated(node.getStartMark().getLine() + 1, version, entry);
    }

    private static OptionalInt asInt(OptionalLong number) {
        return number.isPresent()
                ? OptionalInt.of(Math.toIntExact(number.getAsLong()))
                : OptionalInt.empty();
    }
}
