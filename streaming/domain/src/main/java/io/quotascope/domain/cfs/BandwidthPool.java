package io.quotascope.domain.cfs;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The group's global runtime with its two timers and its counters (the kernel's cfs_bandwidth). */
final class BandwidthPool {
    /** Instant of a timer that is not set. */
    static final long NEVER = Long.MAX_VALUE;

    private final CpuLimit.Quota quota;
    private final KernelRules rules;
    private final List<RunQueue> throttled = new ArrayList<>();
    private final List<RunQueue> released = new ArrayList<>();
    private long runtimeUs;
    private long runtimeAtRefillUs;
    private boolean idle;
    private long refillAtUs = NEVER;
    private long slackAtUs = NEVER;
    private long periods;
    private long throttledPeriods;
    private long throttledUs;
    private long bursts;
    private long burstUs;

    BandwidthPool(CpuLimit.Quota quota, KernelRules rules) {
        this.quota = quota;
        this.rules = rules;
        runtimeUs = quota.quotaUs();
        runtimeAtRefillUs = runtimeUs;
    }

    long refillAtUs() {
        return refillAtUs;
    }

    long slackAtUs() {
        return slackAtUs;
    }

    long runtimeUs() {
        return runtimeUs;
    }

    CpuStat stat() {
        return new CpuStat(periods, throttledPeriods, throttledUs, bursts, burstUs);
    }

    /** Charges what ran since the last time and draws a slice when nothing is left. */
    void charge(RunQueue queue, long nowUs) {
        queue.settle();
        if (rules.slicesExpire()) {
            queue.expire(quota.periodAt(nowUs));
        }
        if (queue.leftUs() <= 0 && !queue.isThrottled()) {
            draw(queue, nowUs);
        }
    }

    /** Throttles a queue that was charged and could not draw enough. */
    void throttleIfSpent(RunQueue queue, long nowUs) {
        if (queue.leftUs() <= 0 && !queue.isThrottled()) {
            throttled.add(queue);
            queue.throttle(nowUs);
        }
    }

    private void draw(RunQueue queue, long nowUs) {
        if (refillAtUs == NEVER) {
            refillAtUs = quota.refillAfter(nowUs);
        }
        long grantedUs = 0;
        if (runtimeUs > 0) {
            grantedUs = Math.min(runtimeUs, rules.bandwidthSliceUs() - queue.leftUs());
            runtimeUs -= grantedUs;
            idle = false;
        }
        queue.add(grantedUs, quota.periodAt(nowUs));
    }

    /** The last task left: runtime above what a CPU keeps goes back at once. */
    void takeBack(RunQueue queue, long nowUs) {
        long slackUs = queue.surrender(rules.keptUs());
        runtimeUs += slackUs;
        if (slackUs > 0 && runtimeUs > rules.bandwidthSliceUs() && !throttled.isEmpty()) {
            startSlackTimer(nowUs);
        }
    }

    private void startSlackTimer(long nowUs) {
        boolean refillIsNear = refillAtUs - nowUs < rules.slackDelayUs() + rules.refreshGuardUs();
        if (!refillIsNear && slackAtUs == NEVER) {
            slackAtUs = nowUs + rules.slackDelayUs();
        }
    }

    /** The slack timer fired: what came back goes to those who wait. */
    void redistribute(long nowUs) {
        slackAtUs = NEVER;
        boolean refillIsNear = refillAtUs - nowUs < rules.refreshGuardUs();
        if (!refillIsNear && runtimeUs > rules.bandwidthSliceUs()) {
            distribute(nowUs);
        }
    }

    /**
     * The period timer fired: count, refill, let the throttled run.
     *
     * @return whether it found somebody throttled
     */
    boolean refill(long nowUs) {
        boolean foundThrottled = !throttled.isEmpty();
        periods++;
        addQuota();
        refillAtUs = nowUs + quota.periodUs();
        if (!foundThrottled) {
            if (idle) {
                refillAtUs = NEVER;
            }
            idle = true;
            return false;
        }
        throttledPeriods++;
        distribute(nowUs);
        idle = false;
        return true;
    }

    private void addQuota() {
        runtimeUs += quota.quotaUs();
        long beyondUs = runtimeAtRefillUs - runtimeUs;
        if (beyondUs > 0) {
            bursts++;
            burstUs += beyondUs;
        }
        runtimeUs = Math.min(runtimeUs, quota.quotaUs() + quota.burstUs());
        runtimeAtRefillUs = runtimeUs;
    }

    /** Queues that may run again since this was last asked, longest throttled first. */
    List<RunQueue> takeReleased() {
        List<RunQueue> taken = List.copyOf(released);
        released.clear();
        return taken;
    }

    /** Longest throttled first: each gets its debt and the least grant, while there is runtime. */
    private void distribute(long nowUs) {
        for (Iterator<RunQueue> waiting = throttled.iterator(); waiting.hasNext(); ) {
            if (runtimeUs <= 0) {
                return;
            }
            RunQueue queue = waiting.next();
            long grantedUs = Math.min(runtimeUs, rules.grantUs() - queue.leftUs());
            runtimeUs -= grantedUs;
            queue.catchUp();
            queue.add(grantedUs, quota.periodAt(nowUs));
            if (queue.leftUs() > 0) {
                waiting.remove();
                throttledUs += queue.unthrottle(nowUs);
                released.add(queue);
            }
        }
    }
}
