package io.quotascope.wire;

import io.quotascope.domain.analysis.AnalysisTrigger;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.whatif.advice.Target;
import io.quotascope.wire.avro.TrustVerdict;

/** Words of analyses on the wire. */
final class AnalysisFields {
    private AnalysisFields() {}

    static io.quotascope.wire.avro.AnalysisTrigger trigger(AnalysisTrigger trigger) {
        return switch (trigger) {
            case CADENCE -> io.quotascope.wire.avro.AnalysisTrigger.cadence;
            case MOVED -> io.quotascope.wire.avro.AnalysisTrigger.moved;
            case LATE_PART -> io.quotascope.wire.avro.AnalysisTrigger.late_part;
        };
    }

    static AnalysisTrigger trigger(io.quotascope.wire.avro.AnalysisTrigger trigger) {
        return switch (trigger) {
            case cadence -> AnalysisTrigger.CADENCE;
            case moved -> AnalysisTrigger.MOVED;
            case late_part -> AnalysisTrigger.LATE_PART;
        };
    }

    static io.quotascope.wire.avro.Aim aim(Target.Aim aim) {
        return io.quotascope.wire.avro.Aim.valueOf(aim.label());
    }

    static Target.Aim aim(io.quotascope.wire.avro.Aim aim) {
        return switch (aim) {
            case savings -> Target.Aim.SAVINGS;
            case latency -> Target.Aim.LATENCY;
        };
    }

    static TrustVerdict trust(Trust.Verdict verdict) {
        return switch (verdict) {
            case SOUND -> TrustVerdict.sound;
            case DOUBTFUL -> TrustVerdict.doubtful;
            case UNUSABLE -> TrustVerdict.unusable;
        };
    }
}
