package io.quotascope.fleetsim.minute;

import io.quotascope.domain.window.Exemplars;
import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WorstShard;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of one service as the rollup would have made them of its records. Equal states of a
 * minute have equal sums but for times and exemplars, so the sums are made once a state. Not for
 * two threads at once.
 */
public final class ServiceRows {
    /** What the rollup states unless a recomputation says otherwise ({@code revision}). */
    static final long REVISION = 1;

    private final ServiceMinutes minutes;
    private final Map<MinuteState, ServiceSums> made = new HashMap<>();

    public ServiceRows(ServiceMinutes minutes) {
        this.minutes = minutes;
    }

    /** The records. */
    public ServiceMinutes minutes() {
        return minutes;
    }

    /** The row of a minute; absent when nothing of the service arrived. */
    public Optional<ServiceWindow> row(long minuteUs) {
        MinuteState state = minutes.stateAt(minuteUs);
        ServiceSums sums = sums(state, minuteUs);
        return sums.reporting().records() == 0 && sums.reporting().expectedRecords() == 0
                ? Optional.empty()
                : Optional.of(new ServiceWindow(stamped(sums, state, minuteUs), 0, REVISION));
    }

    /** Sums of a state of which only times and exemplars may be those of another minute. */
    public ServiceSums sums(MinuteState state, long minuteUs) {
        return made.computeIfAbsent(state, absent -> rolledUp(minutes, absent, minuteUs));
    }

    /** What the rollup does with the records of a minute. */
    static ServiceSums rolledUp(ServiceMinutes minutes, MinuteState state, long minuteUs) {
        ServiceAccumulator sums = new ServiceAccumulator(minutes.key(state), minuteUs);
        for (ShardWindow window : minutes.arriving(state, minuteUs)) {
            sums.add(window);
        }
        for (HostStatement statement : minutes.statements(state, minuteUs)) {
            sums.add(statement);
        }
        return sums.toServiceSums();
    }

    private ServiceSums stamped(ServiceSums sums, MinuteState state, long minuteUs) {
        long laterUs = minuteUs - sums.windowStartUs();
        List<WorstShard> worst =
                sums.worstShards().stream().map(each -> stamped(each, laterUs)).toList();
        return new ServiceSums(
                sums.key(),
                minuteUs,
                sums.bandwidth(),
                sums.reporting(),
                sums.sampling(),
                sums.usage(),
                sums.throttling(),
                sums.threads(),
                sums.distributions(),
                sums.secondOrder(),
                sums.betweenShards(),
                worst,
                sums.kernelHostWindows(),
                exemplars(state, minuteUs));
    }

    private static WorstShard stamped(WorstShard worst, long laterUs) {
        return new WorstShard(
                worst.shardId(),
                worst.shard(),
                worst.hostId(),
                worst.windowStartUs() + laterUs,
                worst.usageUs(),
                worst.periods(),
                worst.throttledPeriods(),
                worst.throttledUs(),
                worst.threads());
    }

    private Exemplars exemplars(MinuteState state, long minuteUs) {
        List<ShardWindow> few = minutes.exemplars(state, minuteUs);
        if (few.isEmpty()) {
            return Exemplars.NONE;
        }
        ServiceAccumulator sums = new ServiceAccumulator(minutes.key(state), minuteUs);
        few.forEach(sums::add);
        return sums.toServiceSums().exemplars();
    }
}
