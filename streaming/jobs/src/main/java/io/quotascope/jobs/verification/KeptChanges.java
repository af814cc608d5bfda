package io.quotascope.jobs.verification;

import io.quotascope.domain.ledger.Advice;
import io.quotascope.domain.verification.ServiceHour;
import io.quotascope.domain.verification.VerificationPolicy;
import io.quotascope.domain.verification.VerifiedChange;
import io.quotascope.jobs.io.state.ByteFormType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;

/**
 * The changes of a cluster that are being verified, by service and number.
 *
 * <p>What is told after a judgement that it belongs to has it made again, over the same hours:
 * hours of a recomputation, requests that are imported once a day, topics that a new job reads
 * anew, each at its own pace. A settled change stays as it is.
 */
final class KeptChanges implements Serializable {
    private static final long serialVersionUID = 1L;

    private final VerificationFunction.Policy policy;
    private transient MapState<String, KeptChange> changes;

    KeptChanges(VerificationFunction.Policy policy) {
        this.policy = policy;
    }

    void open(RuntimeContext context) {
        changes =
                context.getMapState(
                        new MapStateDescriptor<>(
                                "changes", Types.STRING, new ByteFormType<>(new KeptChangeForm())));
    }

    static String key(String service, String id) {
        return service.length() + ":" + service + id;
    }

    private static String key(KeptChange change) {
        return key(change.event().service(), change.event().eventId());
    }

    KeptChange get(String key) throws Exception {
        return changes.get(key);
    }

    void put(KeptChange change) throws Exception {
        changes.put(key(change), change);
    }

    void remove(String key) throws Exception {
        changes.remove(key);
    }

    SortedMap<String, KeptChange> all() throws Exception {
        SortedMap<String, KeptChange> known = new TreeMap<>();
        for (Map.Entry<String, KeptChange> entry : changes.entries()) {
            known.put(entry.getKey(), entry.getValue());
        }
        return known;
    }

    List<KeptChange> ofService(String service) throws Exception {
        List<KeptChange> found = new ArrayList<>();
        for (KeptChange change : changes.values()) {
            if (change.event().service().equals(service)) {
                found.add(change);
            }
        }
        return found;
    }

    /** An hour or its requests were told: a judgement that has looked at it is made again. */
    void judgeAgain(String service, long atUs, TimerService timers) throws Exception {
        VerificationPolicy thresholds = policy.make();
        judgeAgain(service, change -> looksAt(change, atUs, thresholds), thresholds, timers);
    }

    /** A step of a recommendation was told: the judgement of the change that carries it out. */
    void judgeAgain(Advice advice, TimerService timers) throws Exception {
        judgeAgain(
                advice.service(),
                change ->
                        change.event()
                                .recommendationId()
                                .filter(advice.recommendationId()::equals)
                                .isPresent(),
                policy.make(),
                timers);
    }

    private void judgeAgain(
            String service,
            Predicate<KeptChange> restsOnIt,
            VerificationPolicy thresholds,
            TimerService timers)
            throws Exception {
        for (KeptChange change : ofService(service)) {
            long judged = change.judgedHours();
            boolean open =
                    judged > 0 && judged < thresholds.hoursAfterMax() && change.dueHours() == 0;
            if (open && restsOnIt.test(change)) {
                long dueMs = timers.currentWatermark() + VerificationFunction.OTHERS_MS;
                put(change.due(judged, dueMs));
                timers.registerEventTimeTimer(dueMs);
            }
        }
    }

    private static boolean looksAt(KeptChange change, long atUs, VerificationPolicy thresholds) {
        long firstUs = VerifiedChange.firstHourUs(change.event().atUs(), thresholds);
        long fromUs = change.event().atUs() - thresholds.hoursBackMax() * ServiceHour.HOUR_US;
        return fromUs <= atUs && atUs < firstUs + change.judgedHours() * ServiceHour.HOUR_US;
    }
}
