package io.quotascope.domain.change;

import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.ChangeEvent.Kind;
import io.quotascope.domain.verification.ChangeEvent.Wording;
import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the changes of one service, minute by minute. Immutable; about 300 bytes.
 *
 * @param lastMinuteUs the last minute seen; an earlier or equal one changes nothing any more
 * @param setting quota and period that most shards have
 * @param kernel release that most hosts have
 * @param level number of shards
 */
public record ChangeWatch(long lastMinuteUs, Settled setting, Settled kernel, ShardLevel level) {
    /** Nothing was seen yet. */
    public static final ChangeWatch NONE =
            new ChangeWatch(Long.MIN_VALUE, Settled.NONE, Settled.NONE, ShardLevel.NONE);

    /**
     * When a change has settled.
     *
     * @param settledMinutes minutes in a row that most of a service must have a setting
     * @param shards the same for the number of shards
     */
    public record Policy(int settledMinutes, ShardLevel.Policy shards) {
        /** Three minutes for settings. */
        public static final Policy DEFAULT = new Policy(3, ShardLevel.Policy.DEFAULT);

        /**
         * @throws IllegalArgumentException below one minute
         */
        public Policy {
            if (settledMinutes < 1) {
                throw new IllegalArgumentException("settledMinutes must be at least 1");
            }
        }
    }

    /**
     * Of which service.
     *
     * @param origin where the numbers come from
     * @param cluster named part of the fleet
     * @param service the service
     */
    public record Service(Origin origin, String cluster, String service) {}

    /**
     * After a minute.
     *
     * @param next from now on
     * @param events what has settled with it
     */
    public record Step(ChangeWatch next, List<ChangeEvent> events) {}

    /** One minute further. */
    public Step after(Service service, long minuteUs, ServiceShape shape, Policy policy) {
        if (minuteUs <= lastMinuteUs || shape.shards() == 0) {
            return new Step(this, List.of());
        }
        Settled.Step settings =
                setting.after(
                        minuteUs, Settled.most(shape.shardsByClass()), policy.settledMinutes());
        Settled.Step kernels =
                kernel.after(
                        minuteUs,
                        Settled.most(shape.hostWindowsByKernel()),
                        policy.settledMinutes());
        ShardLevel.Step shards = level.after(minuteUs, shape.shards(), policy.shards());
        List<ChangeEvent> events = new ArrayList<>();
        add(events, service, settings.change(), settings.change().map(ChangeWatch::kindOf));
        add(events, service, kernels.change(), Optional.of(Kind.KERNEL));
        add(events, service, shards.change(), Optional.of(Kind.SHARDS));
        return new Step(
                new ChangeWatch(minuteUs, settings.next(), kernels.next(), shards.next()), events);
    }

    private static void add(
            List<ChangeEvent> events,
            Service service,
            Optional<Settled.Change> change,
            Optional<Kind> kind) {
        change.ifPresent(
                settled ->
                        events.add(
                                ChangeEvent.detected(
                                        service.origin(),
                                        service.cluster(),
                                        service.service(),
                                        Optional.empty(),
                                        settled.sinceUs(),
                                        kind.orElseThrow(),
                                        Wording.ofSetting(settled.before(), settled.after()))));
    }

    /** The label is quota/period; when both have changed, the quota is what matters. */
    private static Kind kindOf(Settled.Change change) {
        String[] before = change.before().split("/", 2);
        String[] after = change.after().split("/", 2);
        boolean onlyPeriod = before.length == 2 && after.length == 2 && before[0].equals(after[0]);
        return onlyPeriod ? Kind.PERIOD : Kind.QUOTA;
    }
}
