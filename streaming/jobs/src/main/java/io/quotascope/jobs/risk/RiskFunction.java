package io.quotascope.jobs.risk;

import io.quotascope.domain.analysis.AnalysedCliff;
import io.quotascope.domain.analysis.Cadence;
import io.quotascope.domain.analysis.CliffAnalysis;
import io.quotascope.domain.analysis.CollapseRisk;
import io.quotascope.domain.analysis.HorizonEvidence;
import io.quotascope.domain.analysis.RiskAnalysis;
import io.quotascope.domain.analysis.RiskSettings;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.parts.AnalysedMinute;
import io.quotascope.jobs.io.parts.AnalysingFunction;
import io.quotascope.jobs.io.parts.JudgingFunction.Form;
import io.quotascope.jobs.io.parts.Turn;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.util.Collector;

/**
 * How near collapse a service is, each minute by the last cliff, which is found anew when its turn
 * comes or when the service has moved.
 */
public final class RiskFunction<O> extends AnalysingFunction<O> {
    private static final long serialVersionUID = 1L;

    /**
     * What is judged by.
     *
     * @param cadence which minutes are analysed
     * @param risk of the model
     * @param evidenceMinutes minutes that an analysis looks at
     * @param hostCpus CPUs of the hosts
     * @param revision reprocessing revision, at least
     */
    public record Plan(
            Settings<Cadence> cadence,
            Settings<RiskSettings> risk,
            int evidenceMinutes,
            double hostCpus,
            long revision)
            implements java.io.Serializable {}

    private final Plan plan;
    private final Form<CollapseRisk, O> form;
    private transient RiskSettings settings;
    private transient CliffAnalysis cliffs;

    public RiskFunction(Plan plan, Form<CollapseRisk, O> form) {
        super(plan.cadence(), plan.evidenceMinutes(), plan.revision());
        this.plan = plan;
        this.form = form;
    }

    @Override
    public void open(OpenContext context) {
        super.open(context);
        settings = plan.risk().make();
        cliffs = new CliffAnalysis(settings);
    }

    @Override
    protected Optional<AnalysedMinute> judge(Turn turn, Collector<O> out) throws Exception {
        Optional<RiskAnalysis.Known> fresh =
                turn.trigger().isPresent() ? analysed(turn) : Optional.empty();
        Optional<RiskAnalysis.Known> known = fresh.isPresent() ? fresh : last(turn);
        out.collect(
                form.of(
                        RiskAnalysis.judge(
                                turn.minute(),
                                turn.part(),
                                turn.catalog(),
                                known,
                                turn.trigger(),
                                turn.past().peaks(),
                                settings)));
        return turn.trigger().isEmpty()
                ? Optional.empty()
                : Cadence.loadOf(turn.minute())
                        .map(
                                load ->
                                        new AnalysedMinute(
                                                load, fresh.map(RiskAnalysis.Known::cliff)));
    }

    private Optional<RiskAnalysis.Known> analysed(Turn turn) throws Exception {
        HorizonEvidence evidence =
                HorizonEvidence.of(
                        turn.past().horizon(),
                        turn.part(),
                        turn.catalog(),
                        plan.evidenceMinutes() * WindowPart.MINUTE_US,
                        plan.hostCpus());
        Optional<AnalysedCliff> cliff = cliffs.of(evidence, turn.catalog());
        return cliff.flatMap(found -> RiskAnalysis.known(found, evidence));
    }

    private static Optional<RiskAnalysis.Known> last(Turn turn) throws Exception {
        Optional<AnalysedMinute> last = turn.past().lastCliff();
        return last.flatMap(
                minute ->
                        minute.cliff().map(cliff -> new RiskAnalysis.Known(cliff, minute.load())));
    }
}
