package io.quotascope.jobs.savings;

import io.quotascope.domain.analysis.FleetInstant;
import io.quotascope.domain.analysis.FleetPart;
import io.quotascope.jobs.io.state.ByteFormType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;

/**
 * Of each service and class of one origin the newest estimate, and of those before it one for each
 * instant that may still ask for it.
 *
 * <p>An earlier build kept one estimate before the newest, under the name of its class alone: it
 * counts like the others, whatever its place is called.
 */
final class KeptEstimates {
    private final MapState<String, FleetPart> newest;
    private final MapState<String, FleetPart> before;

    KeptEstimates(RuntimeContext context) {
        newest = state(context, "newest");
        before = state(context, "before");
    }

    private static MapState<String, FleetPart> state(RuntimeContext context, String name) {
        return context.getMapState(
                new MapStateDescriptor<>(
                        name, Types.STRING, new ByteFormType<>(new FleetPartForm())));
    }

    private static String place(FleetPart part, long instantUs) {
        return part.key().topicKey() + '@' + instantUs;
    }

    /**
     * Keeps an estimate.
     *
     * @return the first later instant for which a newer estimate of the class is known, {@link
     *     Long#MAX_VALUE} if none is; absent when one of the same ten minutes is newer
     */
    OptionalLong keep(FleetPart part) throws Exception {
        String key = part.key().topicKey();
        long instantUs = FleetInstant.of(part.analysedAtUs());
        FleetPart last = newest.get(key);
        if (last == null || !last.isNewerThan(part)) {
            if (last != null && FleetInstant.of(last.analysedAtUs()) < instantUs) {
                before.put(place(last, FleetInstant.of(last.analysedAtUs())), last);
            }
            newest.put(key, part);
            return OptionalLong.of(Long.MAX_VALUE);
        }
        long lastUs = FleetInstant.of(last.analysedAtUs());
        FleetPart held = before.get(place(part, instantUs));
        if (lastUs == instantUs || (held != null && held.isNewerThan(part))) {
            return OptionalLong.empty();
        }
        before.put(place(part, instantUs), part);
        long nextUs = instantUs + FleetInstant.INTERVAL_US;
        while (nextUs < lastUs && !before.contains(place(part, nextUs))) {
            nextUs += FleetInstant.INTERVAL_US;
        }
        return OptionalLong.of(nextUs);
    }

    /** Of each class its estimates by the instant at which they begin to count. */
    Collection<TreeMap<Long, FleetPart>> classes() throws Exception {
        Map<String, TreeMap<Long, FleetPart>> classes = new HashMap<>();
        for (MapState<String, FleetPart> kept : List.of(newest, before)) {
            for (FleetPart part : kept.values()) {
                classes.computeIfAbsent(part.key().topicKey(), key -> new TreeMap<>())
                        .merge(
                                FleetInstant.of(part.analysedAtUs()),
                                part,
                                (one, other) -> other.isNewerThan(one) ? other : one);
            }
        }
        return classes.values();
    }

    /** Of each class the newest estimate up to an instant. */
    static List<FleetPart> upTo(Collection<TreeMap<Long, FleetPart>> classes, long instantUs) {
        List<FleetPart> parts = new ArrayList<>();
        for (TreeMap<Long, FleetPart> estimates : classes) {
            Map.Entry<Long, FleetPart> last = estimates.floorEntry(instantUs);
            if (last != null) {
                parts.add(last.getValue());
            }
        }
        return parts;
    }

    /** Forgets what no instant after this one can ask for. */
    void forget(long settledUs) throws Exception {
        long oldestUs = settledUs + FleetInstant.INTERVAL_US - FleetInstant.KEPT_US;
        Map<String, FleetPart> needed = new HashMap<>();
        for (FleetPart part : upTo(classes(), settledUs)) {
            needed.put(part.key().topicKey(), part);
        }
        Iterator<FleetPart> earlier = before.values().iterator();
        while (earlier.hasNext()) {
            FleetPart part = earlier.next();
            boolean asked = part.equals(needed.get(part.key().topicKey()));
            if (isOver(part, asked ? oldestUs : settledUs)) {
                earlier.remove();
            }
        }
        Iterator<FleetPart> last = newest.values().iterator();
        while (last.hasNext()) {
            if (isOver(last.next(), oldestUs)) {
                last.remove();
            }
        }
    }

    private static boolean isOver(FleetPart part, long instantUs) {
        return FleetInstant.of(part.analysedAtUs()) <= instantUs;
    }

    void clear() {
        newest.clear();
        before.clear();
    }

    /** The instant of the newest estimate of all; absent when nothing is kept. */
    OptionalLong last() throws Exception {
        OptionalLong last = OptionalLong.empty();
        for (FleetPart part : newest.values()) {
            long instantUs = FleetInstant.of(part.analysedAtUs());
            last = OptionalLong.of(Math.max(last.orElse(instantUs), instantUs));
        }
        return last;
    }
}
