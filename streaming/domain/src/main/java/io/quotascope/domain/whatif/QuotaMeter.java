package io.quotascope.domain.whatif;

import io.quotascope.domain.cfs.CpuLimit;
import java.util.Optional;

/** The quota pool of one replay and the kernel's way of counting periods. Mutable, reusable. */
final class QuotaMeter {
    /** Work below a nanosecond is rounding, not work. */
    static final double NEGLIGIBLE_US = 1e-3;

    private static final long NEVER = Long.MAX_VALUE;

    private boolean limited;
    private double quotaUs;
    private double ceilingUs;
    private long periodUs;
    private long refillAtUs;
    private double poolUs;
    private boolean ran;
    private boolean counting;
    private long periods;
    private long throttledPeriods;
    private long run;
    private long runs;
    private long runMax;

    void reset(Optional<CpuLimit.Quota> quota) {
        limited = quota.isPresent();
        refillAtUs = NEVER;
        periods = 0;
        throttledPeriods = 0;
        run = 0;
        runs = 0;
        runMax = 0;
        ran = false;
        counting = false;
        if (limited) {
            CpuLimit.Quota limit = quota.get();
            quotaUs = limit.quotaUs();
            ceilingUs = quotaUs + limit.burstUs();
            periodUs = limit.periodUs();
            poolUs = quotaUs;
            refillAtUs = limit.phaseUs() > 0 ? limit.phaseUs() : periodUs;
        }
    }

    long refillAtUs() {
        return refillAtUs;
    }

    /** Whether there are refills, all at multiples of a step. */
    boolean isOnGrid(long stepUs) {
        return limited && periodUs % stepUs == 0 && refillAtUs % stepUs == 0;
    }

    /** CPU time that may be drawn now; all there is without a quota. */
    double availableUs() {
        return limited ? poolUs : Double.MAX_VALUE;
    }

    void draw(double usedUs) {
        if (limited && usedUs > 0.0) {
            poolUs = Math.max(0.0, poolUs - usedUs);
            ran = true;
            counting = true;
        }
    }

    boolean isSpent() {
        return limited && poolUs < NEGLIGIBLE_US;
    }

    /**
     * The period ends. A period counts while the kernel's timer runs: it starts with the first draw
     * and stops, that period counted, at the end of a period in which nothing was drawn.
     */
    void refill(double backlogUs) {
        refillAtUs += periodUs;
        if (!counting) {
            return;
        }
        periods++;
        boolean throttled = backlogUs > NEGLIGIBLE_US && isSpent();
        if (throttled) {
            throttledPeriods++;
            runs += run == 0 ? 1 : 0;
            run++;
            runMax = Math.max(runMax, run);
        } else {
            run = 0;
            counting = ran;
        }
        poolUs = Math.min(poolUs + quotaUs, ceilingUs);
        ran = false;
    }

    long periods() {
        return periods;
    }

    long throttledPeriods() {
        return throttledPeriods;
    }

    long throttledRuns() {
        return runs;
    }

    long throttledRunPeriodsMax() {
        return runMax;
    }
}
