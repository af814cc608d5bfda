package io.quotascope.wire;

import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.ChangeEvent.Kind;
import io.quotascope.domain.verification.ChangeEvent.Source;
import io.quotascope.domain.verification.ChangeEvent.Wording;
import io.quotascope.wire.avro.ChangeKind;
import io.quotascope.wire.avro.ChangeSource;
import java.util.Locale;
import java.util.Optional;

/** ChangeEvent and its domain form. */
public final class ChangeEvents {
    private ChangeEvents() {}

    /**
     * The domain form.
     *
     * @throws IllegalArgumentException for a name or version that the domain refuses
     */
    public static ChangeEvent toDomain(io.quotascope.wire.avro.ChangeEvent avro) {
        return new ChangeEvent(
                Nullable.origin(avro.getOrigin()),
                avro.getCluster(),
                avro.getService(),
                avro.getEventId(),
                avro.getChangedAtUs(),
                Kind.valueOf(avro.getKind().name().toUpperCase(Locale.ROOT)),
                Source.valueOf(avro.getSource().name().toUpperCase(Locale.ROOT)),
                Optional.ofNullable(avro.getQuotaClass()),
                Optional.ofNullable(avro.getRecommendationId()),
                new Wording(
                        Optional.ofNullable(avro.getSettingBefore()),
                        Optional.ofNullable(avro.getSettingAfter()),
                        Optional.ofNullable(avro.getAuthor()),
                        Optional.ofNullable(avro.getNote())),
                avro.getVersion(),
                avro.getWithdrawn());
    }

    /** The record as it travels and the row as it is stored. */
    public static io.quotascope.wire.avro.ChangeEvent toAvro(ChangeEvent event) {
        io.quotascope.wire.avro.ChangeEvent avro = new io.quotascope.wire.avro.ChangeEvent();
        avro.setOrigin(Nullable.origin(event.origin()));
        avro.setCluster(event.cluster());
        avro.setService(event.service());
        avro.setEventId(event.eventId());
        avro.setChangedAtUs(event.atUs());
        avro.setKind(ChangeKind.valueOf(event.kind().label()));
        avro.setSource(ChangeSource.valueOf(event.source().label()));
        avro.setQuotaClass(event.quotaClass().orElse(null));
        avro.setRecommendationId(event.recommendationId().orElse(null));
        avro.setSettingBefore(event.wording().settingBefore().orElse(null));
        avro.setSettingAfter(event.wording().settingAfter().orElse(null));
        avro.setAuthor(event.wording().author().orElse(null));
        avro.setNote(event.wording().note().orElse(null));
        avro.setVersion(event.version());
        avro.setWithdrawn(event.withdrawn());
        return avro;
    }
}
