package io.quotascope.jobs.alerts;

import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.jobs.io.state.WireForm;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.RecordCodec;

/** Bytes of a {@link CollapseRisk} between operators. */
public final class CollapseRiskForm extends WireForm<CollapseRisk> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<CollapseRisk> type() {
        return CollapseRisk.class;
    }

    @Override
    protected RecordCodec<CollapseRisk> codec() {
        return Codecs.COLLAPSE_RISKS;
    }
}
