package io.quotascope.jobs.verification;

import io.quotascope.domain.ledger.Forecast;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.Effect;
import io.quotascope.domain.verification.PredictionScore;
import io.quotascope.domain.verification.PredictionScore.Realised;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.jobs.io.state.ByteFormType;
import java.io.Serializable;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.OutputTag;

/**
 * Compares what recommendations promised with what came of them, once a change is settled, and
 * hands on the score so far.
 */
final class Scores implements Serializable {
    private static final long serialVersionUID = 1L;

    /** What the cores that a recommendation frees are called among quantities. */
    static final String CORES = "reclaimable_cores";

    /** How a score leaves; it runs on the task managers. */
    interface Sink extends Serializable {
        void take(
                KeyedProcessFunction<String, ClusterEvidence, ?>.OnTimerContext context,
                PredictionScore score,
                String quantity,
                ChangeEvent last,
                long windowStartUs);
    }

    private final Sink sink;
    private transient MapState<String, KeptOutcomes> outcomes;

    private Scores(Sink sink) {
        this.sink = sink;
    }

    /** Scores as one form at one side output. */
    static <S> Scores to(OutputTag<S> tag, ScoreForm<S> form) {
        return new Scores(
                (context, score, quantity, last, windowStartUs) ->
                        context.output(tag, form.of(score, quantity, last, windowStartUs)));
    }

    /** How a score looks outside. */
    interface ScoreForm<S> extends Serializable {
        S of(PredictionScore score, String quantity, ChangeEvent last, long windowStartUs);
    }

    void open(RuntimeContext context) {
        TypeInformation<KeptOutcomes> type = new ByteFormType<>(new KeptOutcomesForm());
        outcomes = context.getMapState(new MapStateDescriptor<>("outcomes", Types.STRING, type));
    }

    void settle(
            Recommendation entry,
            VerifiedChange result,
            KeyedProcessFunction<String, ClusterEvidence, ?>.OnTimerContext context)
            throws Exception {
        if (!result.settled()) {
            return;
        }
        Forecast forecast = entry.forecast();
        if (forecast.reclaimableCores().isPresent() && result.realised().isPresent()) {
            add(
                    CORES,
                    forecast.reclaimableCores().get(),
                    result.realised().get().cores(),
                    entry,
                    result,
                    context);
        }
        for (Forecast.PredictedEffect predicted : forecast.effects()) {
            for (Effect effect : result.effects()) {
                boolean same = effect.quantity().label().equals(predicted.quantity());
                if (same && effect.verdict() != Effect.Verdict.TOO_LITTLE_EVIDENCE) {
                    add(
                            predicted.quantity(),
                            predicted.effect(),
                            effect.effect(),
                            entry,
                            result,
                            context);
                }
            }
        }
    }

    private void add(
            String quantity,
            Forecast.Predicted predicted,
            double realised,
            Recommendation entry,
            VerifiedChange result,
            KeyedProcessFunction<String, ClusterEvidence, ?>.OnTimerContext context)
            throws Exception {
        KeptOutcomes before = outcomes.get(quantity);
        String settled = String.format("%020d", result.windowStartUs()) + entry.advice().topicKey();
        KeptOutcomes after =
                (before == null ? KeptOutcomes.NONE : before)
                        .plus(
                                settled,
                                new Realised(
                                        predicted.low(),
                                        predicted.value(),
                                        predicted.high(),
                                        realised));
        outcomes.put(quantity, after);
        sink.take(context, after.score(), quantity, result.change(), result.windowStartUs());
    }
}
