package io.quotascope.jobs.verification;

import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.domain.ledger.RecommendationState;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.HourHistory;
import io.quotascope.domain.verification.HourReading;
import io.quotascope.domain.verification.ServiceHour;
import io.quotascope.domain.verification.VerificationPolicy;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.domain.verification.VerifiedChange.Outcome;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.io.state.ByteFormType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Keeps the hours of all services of one cluster and judges each change after every full day of
 * hours behind it, against services that nothing happened to. A row is a function of the hours up
 * to its own end, so a replay writes the same rows whatever came when.
 *
 * <p>State of one origin and cluster: of each service 36 days of hours, 40 bytes an hour and class,
 * 35 KiB, kept 36 days after its last row; where requests are counted, of each hour 40 bytes and 16
 * for each bucket of latency, 200 KiB with a dozen; each change, about 300 bytes, for 36 days; each
 * recommendation that may still be verified or regress, about 1 KiB, until then and 36 days after
 * it regressed; at most 1,000 outcomes of predictions a quantity, 100 KiB, for good: they are the
 * score.
 *
 * @param <O> the form in which judged changes leave
 */
public final class VerificationFunction<O>
        extends KeyedProcessFunction<String, ClusterEvidence, O> {
    private static final long serialVersionUID = 1L;

    /** Steps of recommendations. */
    public static final OutputTag<Recommendation> STEPS =
            new OutputTag<>("steps", new ByteFormType<>(new RecommendationForm()));

    private static final long DAY_HOURS = 24;
    private static final long DAY_MS = 86_400_000;

    /** How long the row of an hour may be on its way, milliseconds. */
    private static final long ON_THE_WAY_MS = 300_000;

    /** How long hours of other services may come after those of the changed one, milliseconds. */
    static final long OTHERS_MS = 120_000;

    /** The policy as Flink can carry it to the task managers. */
    public interface Policy extends Serializable {
        VerificationPolicy make();
    }

    /** How a judged change leaves; it runs on the task managers. */
    public interface Form<O> extends Serializable {
        O of(
                VerifiedChange judged,
                HourReading newest,
                OptionalDouble completeness,
                Optional<Recommendation> entry);
    }

    private final Form<O> form;
    private final Scores scores;
    private final Regressions regressions;
    private final RequestHours requests = new RequestHours();
    private final KeptChanges changes;
    private final Policy policy;
    private final int unaffectedMax;
    private transient MapState<String, KeptHistory> histories;
    private transient MapState<String, Recommendation> entries;
    private transient Counter judged;

    /**
     * @param form how judged changes leave
     * @param scores what becomes of settled predictions
     * @param regressions who is told of changes that took back what had been saved
     * @param policy how a change is verified
     * @param unaffectedMax most services to compare with
     */
    VerificationFunction(
            Form<O> form,
            Scores scores,
            Regressions regressions,
            Policy policy,
            int unaffectedMax) {
        this.form = form;
        this.scores = scores;
        this.regressions = regressions;
        this.policy = policy;
        this.changes = new KeptChanges(policy);
        this.unaffectedMax = unaffectedMax;
    }

    @Override
    public void open(OpenContext context) {
        histories = state("hours", new ByteFormType<>(new KeptHistoryForm()));
        changes.open(getRuntimeContext());
        entries = state("entries", new ByteFormType<>(new RecommendationForm()));
        scores.open(getRuntimeContext());
        regressions.open(getRuntimeContext());
        requests.open(getRuntimeContext());
        judged = getRuntimeContext().getMetricGroup().counter("changes_judged");
    }

    private <V> MapState<String, V> state(String name, TypeInformation<V> type) {
        return getRuntimeContext().getMapState(new MapStateDescriptor<>(name, Types.STRING, type));
    }

    private static long keptHours(VerificationPolicy thresholds) {
        return thresholds.hoursBackMax() + thresholds.hoursAfterMax() + DAY_HOURS;
    }

    @Override
    public void processElement(ClusterEvidence evidence, Context context, Collector<O> out)
            throws Exception {
        if (evidence instanceof ClusterEvidence.Hour hour) {
            add(hour.reading(), context);
        } else if (evidence instanceof ClusterEvidence.Load load) {
            long atUs = load.load().windowStartUs();
            requests.add(
                    load.load(),
                    endMs(atUs / 1000, keptHours(policy.make())),
                    context.timerService());
            changes.judgeAgain(load.load().service(), atUs, context.timerService());
        } else if (evidence instanceof ClusterEvidence.Change change) {
            add(change.event(), context);
        } else if (evidence instanceof ClusterEvidence.Entry entry) {
            if (add(entry.recommendation())) {
                changes.judgeAgain(entry.recommendation().advice(), context.timerService());
            }
        }
    }

    private void add(HourReading reading, Context context) throws Exception {
        long keptHours = keptHours(policy.make());
        String service = reading.key().service();
        KeptHistory before = histories.get(service);
        HourHistory history = before == null ? new HourHistory() : before.history(keptHours);
        history.add(reading, keptHours);
        changes.judgeAgain(service, reading.hourStartUs(), context.timerService());
        long rowMs = context.timestamp();
        KeptHistory after =
                KeptHistory.of(
                        history, before == null ? rowMs : Math.max(rowMs, before.lastRowMs()));
        histories.put(service, after);
        // One timer a day and cluster, not one a row.
        context.timerService().registerEventTimeTimer(endMs(after.lastRowMs(), keptHours));
        for (KeptChange change : changes.ofService(service)) {
            schedule(change, after, rowMs, context);
        }
    }

    /** The end of the day on which state of a moment is over. */
    private static long endMs(long atMs, long keptHours) {
        return (Math.floorDiv(atMs, DAY_MS) + 1 + keptHours / DAY_HOURS) * DAY_MS;
    }

    private void add(ChangeEvent event, Context context) throws Exception {
        String key = KeptChanges.key(event.service(), event.eventId());
        KeptChange known = changes.get(key);
        if (known != null && known.event().version() > event.version()) {
            return;
        }
        if (event.withdrawn()) {
            withdraw(key, known, event, context);
            return;
        }
        boolean same = known != null && known.event().atUs() == event.atUs();
        KeptChange kept =
                same
                        ? new KeptChange(
                                event,
                                known.judgedHours(),
                                known.dueHours(),
                                known.dueMs(),
                                known.regressed())
                        : KeptChange.of(event);
        changes.put(kept);
        context.timerService()
                .registerEventTimeTimer(endMs(event.atUs() / 1000, keptHours(policy.make())));
        KeptHistory history = histories.get(event.service());
        if (history != null) {
            schedule(kept, history, history.lastRowMs(), context);
        }
    }

    /** One that was told of stays until the clock's next step, so that its alert can end. */
    private void withdraw(String key, KeptChange known, ChangeEvent event, Context context)
            throws Exception {
        if (known == null || !known.regressed()) {
            changes.remove(key);
            return;
        }
        changes.put(KeptChange.of(event));
        context.timerService()
                .registerEventTimeTimer(context.timerService().currentWatermark() + 1);
    }

    /** Whether it says more than was known. */
    private boolean add(Recommendation entry) throws Exception {
        String key = KeptChanges.key(entry.advice().service(), entry.advice().recommendationId());
        Recommendation known = entries.get(key);
        if (known != null && known.version() > entry.version()) {
            return false;
        }
        // One that regressed is still the promise of a change that goes on being judged.
        boolean promise = entry.state().isPromise();
        if (promise) {
            entries.put(key, entry);
        } else {
            entries.remove(key);
        }
        return promise && (known == null || known.version() < entry.version());
    }

    /** Plans the next judgement of a change once a further full day of its service is there. */
    private void schedule(KeptChange change, KeptHistory history, long rowMs, Context context)
            throws Exception {
        VerificationPolicy thresholds = policy.make();
        long firstUs = VerifiedChange.firstHourUs(change.event().atUs(), thresholds);
        long known = (history.newestUs() + ServiceHour.HOUR_US - firstUs) / ServiceHour.HOUR_US;
        long hours =
                Math.min(thresholds.hoursAfterMax(), Math.floorDiv(known, DAY_HOURS) * DAY_HOURS);
        if (hours <= Math.max(change.judgedHours(), change.dueHours())) {
            return;
        }
        long closedMs = (firstUs + hours * ServiceHour.HOUR_US) / 1000 + ON_THE_WAY_MS;
        boolean last = hours == thresholds.hoursAfterMax();
        long settledMs = last ? WindowPart.AGE_MS_MAX + WindowPart.LATE_PART_MS : 0;
        long dueMs = Math.max(closedMs + settledMs, rowMs + OTHERS_MS);
        changes.put(change.due(hours, dueMs));
        context.timerService().registerEventTimeTimer(dueMs);
    }

    /** Changes are judged in the order of their keys, the same in every run. */
    @Override
    public void onTimer(long timestamp, OnTimerContext context, Collector<O> out) throws Exception {
        SortedMap<String, KeptChange> known = changes.all();
        SortedMap<String, List<String>> said = new TreeMap<>();
        Map<String, ChangeEvent> about = new TreeMap<>();
        for (Map.Entry<String, KeptChange> entry : known.entrySet()) {
            ChangeEvent event = entry.getValue().event();
            if (entry.getValue().isDue(timestamp)) {
                List<String> regressed = judge(entry.getValue(), known, context, out);
                changes.put(entry.getValue().judged(!regressed.isEmpty()));
                said.computeIfAbsent(event.service(), name -> new ArrayList<>()).addAll(regressed);
                about.put(event.service(), event);
            }
            if (isOver(entry.getValue(), timestamp)) {
                changes.remove(entry.getKey());
                said.computeIfAbsent(event.service(), name -> new ArrayList<>());
                about.put(event.service(), event);
            }
        }
        for (Map.Entry<String, ChangeEvent> of : about.entrySet()) {
            regressions.tell(
                    of.getValue(),
                    teamOf(of.getKey()),
                    changes.ofService(of.getKey()),
                    said.get(of.getKey()),
                    context);
        }
        end(timestamp);
    }

    private Optional<String> teamOf(String service) throws Exception {
        KeptHistory kept = histories.get(service);
        return Optional.ofNullable(kept)
                .map(known -> known.history(keptHours(policy.make())).newest().team())
                .filter(team -> !team.isEmpty());
    }

    private boolean isOver(KeptChange change, long timestamp) {
        long endMs = endMs(change.event().atUs() / 1000, keptHours(policy.make()));
        return change.event().withdrawn() || endMs <= timestamp;
    }

    /** Judges a change; returns why it took back what had been saved, and nothing if it did not. */
    private List<String> judge(
            KeptChange due,
            SortedMap<String, KeptChange> known,
            OnTimerContext context,
            Collector<O> out)
            throws Exception {
        VerificationPolicy thresholds = policy.make();
        ChangeEvent event = due.event();
        KeptHistory kept = histories.get(event.service());
        if (kept == null) {
            return List.of();
        }
        HourHistory history = kept.history(keptHours(thresholds));
        long firstUs = VerifiedChange.firstHourUs(event.atUs(), thresholds);
        long endUs = firstUs + due.dueHours() * ServiceHour.HOUR_US;
        VerifiedChange result =
                VerifiedChange.judge(
                        event,
                        due.dueHours(),
                        history.until(endUs, requests.of(event.service())),
                        unaffected(event, endUs, known, thresholds),
                        thresholds);
        Optional<Recommendation> entry = entryOf(event);
        out.collect(form.of(result, history.newest(), history.completeness(firstUs, endUs), entry));
        judged.inc();
        if (entry.isPresent()) {
            step(entry.get(), result, context);
            scores.settle(entry.get(), result, context);
        }
        // What was told of stays a loss, though the ledger has closed its entry since.
        boolean saved =
                due.regressed()
                        || entry.isPresent()
                        || LedgerSteps.saved(event.service(), entries.values());
        return saved && result.outcome() == Outcome.REGRESSED ? Regressions.why(result) : List.of();
    }

    private Optional<Recommendation> entryOf(ChangeEvent event) throws Exception {
        return event.recommendationId().isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(
                        entries.get(
                                KeptChanges.key(event.service(), event.recommendationId().get())));
    }

    /**
     * Hours of services that nothing happened to; of many, those with the smallest hash, which
     * differ from change to change.
     */
    private List<SortedMap<Long, ServiceHour>> unaffected(
            ChangeEvent event,
            long endUs,
            SortedMap<String, KeptChange> known,
            VerificationPolicy thresholds)
            throws Exception {
        long fromUs = event.atUs() - thresholds.hoursBackMax() * ServiceHour.HOUR_US;
        List<String> affected = new ArrayList<>(List.of(event.service()));
        for (KeptChange change : known.values()) {
            if (change.event().atUs() >= fromUs && change.event().atUs() < endUs) {
                affected.add(change.event().service());
            }
        }
        TreeMap<String, KeptHistory> candidates = new TreeMap<>();
        for (Map.Entry<String, KeptHistory> entry : histories.entries()) {
            if (!affected.contains(entry.getKey()) && entry.getValue().newestUs() >= event.atUs()) {
                int hash = (event.eventId() + '/' + entry.getKey()).hashCode();
                candidates.put(String.format("%08x", hash) + entry.getKey(), entry.getValue());
            }
        }
        List<SortedMap<Long, ServiceHour>> chosen = new ArrayList<>();
        for (KeptHistory kept : candidates.values().stream().limit(unaffectedMax).toList()) {
            HourHistory history = kept.history(keptHours(thresholds));
            chosen.add(history.until(endUs, requests.of(history.newest().key().service())));
        }
        return chosen;
    }

    /** The ledger learns what was measured. */
    private void step(Recommendation entry, VerifiedChange result, OnTimerContext context)
            throws Exception {
        Optional<Recommendation> stepped = LedgerSteps.after(entry, result);
        if (stepped.isPresent()) {
            context.output(STEPS, stepped.get());
            add(stepped.get());
        }
    }

    private void end(long timestamp) throws Exception {
        long keptHours = keptHours(policy.make());
        RequestHours.removeIf(histories, kept -> endMs(kept.lastRowMs(), keptHours) <= timestamp);
        requests.end(dayUs -> endMs(dayUs / 1000, keptHours) <= timestamp);
        RequestHours.removeIf(
                entries,
                entry ->
                        entry.state() == RecommendationState.REGRESSED
                                && endMs(entry.step().atUs() / 1000, keptHours) <= timestamp);
    }
}
