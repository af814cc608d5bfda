package io.quotascope.wire;

import io.quotascope.domain.alert.AlertContext;
import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertSeverity;
import io.quotascope.domain.alert.AlertSubject;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.alert.ThrottlingAlert.State;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/** ThrottlingAlert and its domain form: topic throttling-alerts.v1, table throttling_alerts. */
public final class ThrottlingAlerts {
    private ThrottlingAlerts() {}

    /** The record as it travels and is stored. */
    public static io.quotascope.wire.avro.ThrottlingAlert toAvro(ThrottlingAlert alert) {
        io.quotascope.wire.avro.ThrottlingAlert avro =
                new io.quotascope.wire.avro.ThrottlingAlert();
        AlertSubject subject = alert.subject();
        avro.setOrigin(Nullable.origin(subject.origin()));
        avro.setCluster(subject.cluster());
        avro.setService(subject.service().orElse(null));
        avro.setQuotaClass(subject.quotaClass().orElse(null));
        avro.setHostId(subject.hostId().orElse(null));
        avro.setWindowStartUs(alert.windowStartUs());
        AlertContext context = alert.context();
        avro.setVersion(context.version());
        avro.setCatalogVersion(context.catalogVersion());
        avro.setTeam(context.team().orElse(null));
        avro.setShards(Nullable.orNull(context.shards()));
        avro.setCompleteness(Nullable.orNull(context.completeness()));
        avro.setQuotaCores(Nullable.orNull(context.quotaCores()));
        avro.setReservedCores(Nullable.orNull(context.reservedCores()));
        avro.setAlertId(alert.alertId());
        avro.setKind(io.quotascope.wire.avro.AlertKind.valueOf(alert.kind().label()));
        avro.setSeverity(io.quotascope.wire.avro.AlertSeverity.valueOf(alert.severity().label()));
        avro.setState(io.quotascope.wire.avro.AlertState.valueOf(alert.state().label()));
        avro.setSinceUs(alert.sinceUs());
        avro.setValue(Nullable.orNull(alert.value()));
        avro.setThreshold(alert.threshold());
        avro.setReasons(alert.reasons());
        avro.setRemedy(alert.remedy());
        return avro;
    }

    /** The domain form; identity and remedy follow from kind and subject. */
    public static ThrottlingAlert toDomain(io.quotascope.wire.avro.ThrottlingAlert avro) {
        return new ThrottlingAlert(
                new AlertSubject(
                        Nullable.origin(avro.getOrigin()),
                        avro.getCluster(),
                        Optional.ofNullable(avro.getService()),
                        Optional.ofNullable(avro.getQuotaClass()),
                        Optional.ofNullable(avro.getHostId())),
                new AlertContext(
                        avro.getVersion(),
                        avro.getCatalogVersion(),
                        Optional.ofNullable(avro.getTeam()),
                        Nullable.optional(avro.getShards()),
                        optional(avro.getCompleteness()),
                        optional(avro.getQuotaCores()),
                        optional(avro.getReservedCores())),
                avro.getWindowStartUs(),
                AlertKind.valueOf(constant(avro.getKind())),
                AlertSeverity.valueOf(constant(avro.getSeverity())),
                State.valueOf(constant(avro.getState())),
                avro.getSinceUs(),
                optional(avro.getValue()),
                avro.getThreshold(),
                avro.getReasons());
    }

    /** Labels of these three are their constants in lower case; a test holds them to it. */
    private static String constant(Enum<?> symbol) {
        return symbol.name().toUpperCase(Locale.ROOT);
    }

    private static OptionalDouble optional(Double value) {
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }
}
