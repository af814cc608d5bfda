package io.quotascope.jobs.rank;

import io.quotascope.domain.rank.ServiceOffer;
import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.domain.rank.TuningStake;
import io.quotascope.domain.rank.TuningWorth;
import java.io.Serializable;
import java.util.Optional;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Adds to every judged row what other judgements said last of the worth of tuning its service. A
 * row never waits for them: it names the estimates that it rests on ({@code
 * savings_analysed_at_us}, {@code risk_analysed_at_us}), and says what is missing.
 *
 * <p>State: the newest savings estimate and the newest judgement of risk, about 2 KiB together, of
 * which 1.5 KiB is the text of the setting; they end {@link #KEPT_MS} after they were made.
 *
 * @param <R> rows, whose form only the topology knows
 */
public final class WorthFunction<R> extends KeyedCoProcessFunction<String, R, ServiceOffer, R> {
    private static final long serialVersionUID = 1L;

    /** An estimate that nobody renewed for two days is no longer the truth, milliseconds. */
    static final long KEPT_MS = 2 * 86_400_000L;

    /** How a row takes its worth over, given by the topology; it runs on the task managers. */
    public interface Form<R> extends Serializable {
        /** What the row says before anybody has estimated a change. */
        TuningStake stake(R row);

        R with(R row, TuningWorth worth);
    }

    private final TypeInformation<ServiceOffer> type;
    private final Form<R> form;
    private final RankFunction.Policy policy;
    private final long revision;
    private transient ValueState<ServiceOffer> savings;
    private transient ValueState<ServiceOffer> risk;

    /**
     * @param type how an offer becomes bytes
     * @param form how a row takes its worth over
     * @param policy thresholds of the ranking
     * @param revision reprocessing revision of the rows; what was offered under a smaller one is
     *     what is being replaced, and lies on the topics beside what replaces it
     */
    public WorthFunction(
            TypeInformation<ServiceOffer> type,
            Form<R> form,
            RankFunction.Policy policy,
            long revision) {
        this.type = type;
        this.form = form;
        this.policy = policy;
        this.revision = revision;
    }

    @Override
    public void open(OpenContext context) {
        savings = getRuntimeContext().getState(new ValueStateDescriptor<>("savings", type));
        risk = getRuntimeContext().getState(new ValueStateDescriptor<>("risk", type));
    }

    @Override
    public void processElement1(R row, Context context, Collector<R> out) throws Exception {
        TuningWorth worth =
                TuningWorth.of(
                        form.stake(row),
                        known(savings).map(TuningOffer.Savings.class::cast),
                        known(risk).map(TuningOffer.Risk.class::cast),
                        policy.make().standInUsdPerCoreYear());
        out.collect(form.with(row, worth));
    }

    @Override
    public void processElement2(ServiceOffer offered, Context context, Collector<R> out)
            throws Exception {
        if (offered.revision() < revision) {
            return;
        }
        ValueState<ServiceOffer> kept =
                offered.offer() instanceof TuningOffer.Savings ? savings : risk;
        Optional<TuningOffer> before = known(kept);
        if (before.isPresent() && before.get().analysedAtUs() > offered.offer().analysedAtUs()) {
            return;
        }
        kept.update(offered);
        context.timerService().registerEventTimeTimer(endMs(offered.offer()));
    }

    private static Optional<TuningOffer> known(ValueState<ServiceOffer> state) throws Exception {
        return Optional.ofNullable(state.value()).map(ServiceOffer::offer);
    }

    private static long endMs(TuningOffer offer) {
        return offer.analysedAtUs() / 1000 + KEPT_MS;
    }

    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<R> out) throws Exception {
        endWhenOver(savings, timestamp);
        endWhenOver(risk, timestamp);
    }

    private static void endWhenOver(ValueState<ServiceOffer> kept, long timestamp)
            throws Exception {
        if (known(kept).filter(offer -> endMs(offer) <= timestamp).isPresent()) {
            kept.clear();
        }
    }
}
