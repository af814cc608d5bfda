package io.quotascope.jobs.threads;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.threads.ThreadRatio;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.jobs.io.parts.JudgingFunction;

/** Threads per reserved core of each minute, judged anew with every part of it. */
public final class ThreadsFunction<O> extends JudgingFunction<ThreadRatio, O> {
    private static final long serialVersionUID = 1L;

    public ThreadsFunction(StateTypes types, Form<ThreadRatio, O> form, long revision) {
        super(types, form, revision, 0);
    }

    @Override
    protected ThreadRatio judge(ServiceWindow row, Minutes merged, CatalogView catalog)
            throws Exception {
        return ThreadRatio.judge(
                merged.at(row.sums().windowStartUs()).orElseThrow(), row.part(), catalog);
    }
}
