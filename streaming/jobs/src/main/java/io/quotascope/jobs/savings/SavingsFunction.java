package io.quotascope.jobs.savings;

import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.HorizonEvidence;
import io.quotascope.domain.analysis.RiskSettings;
import io.quotascope.domain.analysis.SavingsAnalysis;
import io.quotascope.domain.analysis.SavingsEstimate;
import io.quotascope.domain.analysis.SavingsSettings;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.parts.AnalysedMinute;
import io.quotascope.jobs.io.parts.AnalysingFunction;
import io.quotascope.jobs.io.parts.JudgingFunction.Form;
import io.quotascope.jobs.io.parts.Turn;
import java.io.Serializable;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.util.Collector;

/** What every set of fixes would free of a reservation, for every minute that is analysed. */
public final class SavingsFunction<O> extends AnalysingFunction<O> {
    private static final long serialVersionUID = 1L;

    /**
     * What is estimated by.
     *
     * @param cadence which minutes are analysed
     * @param savings targets and the cost of concurrency
     * @param horizonMinutes minutes that an analysis looks at
     * @param hostCpus CPUs of the hosts
     * @param revision reprocessing revision, at least
     */
    public record Plan(
            Settings<Cadence> cadence,
            Settings<SavingsSettings> savings,
            int horizonMinutes,
            double hostCpus,
            long revision)
            implements Serializable {}

    private final Plan plan;
    private final Form<SavingsEstimate, O> form;
    private transient SavingsAnalysis analysis;

    public SavingsFunction(Plan plan, Form<SavingsEstimate, O> form) {
        super(plan.cadence(), plan.horizonMinutes(), plan.revision());
        this.plan = plan;
        this.form = form;
    }

    @Override
    public void open(OpenContext context) {
        super.open(context);
        analysis = new SavingsAnalysis(plan.savings().make(), RiskSettings.DEFAULT);
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
        for (SavingsEstimate row :
                analysis.of(
                        evidence,
                        turn.catalog(),
                        turn.past().peaks(),
                        turn.prices(),
                        turn.trigger().get())) {
            out.collect(form.of(row));
        }
        return Cadence.loadOf(turn.minute())
                .map(load -> new AnalysedMinute(load, Optional.empty()));
    }
}
