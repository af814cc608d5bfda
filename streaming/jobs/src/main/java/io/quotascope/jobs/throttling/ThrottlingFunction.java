package io.quotascope.jobs.throttling;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.throttling.ThrottlingSummary;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.parts.JudgingFunction;

/** How each minute was throttled, judged anew with every part of it. */
public final class ThrottlingFunction<O> extends JudgingFunction<ThrottlingSummary, O> {
    private static final long serialVersionUID = 1L;

    public ThrottlingFunction(StateTypes types, Form<ThrottlingSummary, O> form, long revision) {
        super(types, form, revision, 0);
    }

    @Override
    protected ThrottlingSummary judge(ServiceWindow row, Minutes merged, CatalogView catalog)
            throws Exception {
        return ThrottlingSummary.judge(
                merged.at(row.sums().windowStartUs()).orElseThrow(), row.part(), catalog);
    }
}
