package io.quotascope.jobs.whatif;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.HorizonEvidence;
import io.quotascope.domain.analysis.WhatIfAnalysis;
import io.quotascope.domain.analysis.WhatIfOutcome;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.parts.AnalysedMinute;
import io.quotascope.jobs.io.parts.AnalysingFunction;
import io.quotascope.jobs.io.parts.JudgingFunction.Form;
import io.quotascope.jobs.io.parts.Turn;
import java.io.Serializable;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.util.Collector;

/** What every change of the grid would give a service, for every minute that is analysed. */
public final class WhatIfFunction<O> extends AnalysingFunction<O> {
    private static final long serialVersionUID = 1L;

    /**
     * What is answered by.
     *
     * @param cadence which minutes are analysed
     * @param horizonMinutes minutes that an analysis looks at
     * @param hostCpus CPUs of the hosts
     * @param revision reprocessing revision, at least
     */
    public record Plan(
            Settings<Cadence> cadence, int horizonMinutes, double hostCpus, long revision)
            implements Serializable {}

    private final Plan plan;
    private final Form<WhatIfOutcome, O> form;
    private transient WhatIfAnalysis analysis;

    public WhatIfFunction(Plan plan, Form<WhatIfOutcome, O> form) {
        super(plan.cadence(), plan.horizonMinutes(), plan.revision());
        this.plan = plan;
        this.form = form;
    }

    @Override
    public void open(OpenContext context) {
        super.open(context);
        analysis = new WhatIfAnalysis();
    }

    @Override
    protected Optional<AnalysedMinute> judge(Turn turn, Collector<O> out) throws Exception {
        if (turn.trigger().isEmpty()) {
            return Optional.empty();
        }
        HorizonEvidence evidence =
                HorizonEvidence.of(
                        turn.past().horizon(),
                        turn.part(),
                        turn.catalog(),
                        plan.horizonMinutes() * WindowPart.MINUTE_US,
                        plan.hostCpus());
        for (WhatIfOutcome row : analysis.of(evidence, turn.catalog(), turn.trigger().get())) {
            out.collect(form.of(row));
        }
        return Cadence.loadOf(turn.minute())
                .map(load -> new AnalysedMinute(load, Optional.empty()));
    }
}
