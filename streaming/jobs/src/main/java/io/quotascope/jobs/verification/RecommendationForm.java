package io.quotascope.jobs.verification;

import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link Recommendation} between operators and in state. */
public final class RecommendationForm extends WireForm<Recommendation> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<Recommendation> type() {
        return Recommendation.class;
    }

    @Override
    protected RecordCodec<Recommendation> codec() {
        return Codecs.RECOMMENDATIONS;
    }
}
