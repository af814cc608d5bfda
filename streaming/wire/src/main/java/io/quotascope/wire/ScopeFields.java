package io.quotascope.wire;

import io.quotascope.domain.fleet.JudgementScope;
import io.quotascope.domain.window.ServiceKey;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.avro.specific.SpecificRecord;

/** The fields that every judgement's row begins with, whatever the record. */
final class ScopeFields {
    private ScopeFields() {}

    static void set(SpecificRecord row, JudgementScope scope) {
        put(row, "origin", Nullable.origin(scope.key().origin()));
        put(row, "cluster", scope.key().cluster());
        put(row, "service", scope.key().service());
        put(row, "quota_class", scope.key().quotaClass());
        put(row, "window_start_us", scope.windowStartUs());
        put(row, "part", scope.part());
        put(row, "version", scope.version());
        put(row, "catalog_version", scope.catalogVersion());
        put(row, "team", scope.team().orElse(null));
        put(row, "shards", scope.shards());
        put(row, "completeness", Nullable.orNull(scope.completeness()));
        put(row, "quota_cores", Nullable.orNull(scope.quotaCores()));
        put(row, "reserved_cores", Nullable.orNull(scope.reservedCores()));
    }

    static JudgementScope of(SpecificRecord row) {
        return new JudgementScope(
                new ServiceKey(
                        Nullable.origin((io.quotascope.wire.avro.Origin) get(row, "origin")),
                        (String) get(row, "cluster"),
                        (String) get(row, "service"),
                        (String) get(row, "quota_class")),
                (Long) get(row, "window_start_us"),
                (Long) get(row, "part"),
                (Long) get(row, "version"),
                (Long) get(row, "catalog_version"),
                Optional.ofNullable((String) get(row, "team")),
                (Integer) get(row, "shards"),
                cores(row, "completeness"),
                cores(row, "quota_cores"),
                cores(row, "reserved_cores"));
    }

    private static OptionalDouble cores(SpecificRecord row, String field) {
        return Nullable.optional((Double) get(row, field));
    }

    private static Object get(SpecificRecord row, String field) {
        return row.get(row.getSchema().getField(field).pos());
    }

    private static void put(SpecificRecord row, String field, Object value) {
        row.put(row.getSchema().getField(field).pos(), value);
    }
}
