package io.quotascope.domain.advice;

import io.quotascope.domain.advice.Candidate.DecidedBy;
import io.quotascope.domain.savings.FixSet;

/** Cores under other needs and gains than those that were decided by. */
record FreedCores(Decision decision, double nearest, double farthest) {
    private double reserved() {
        return decision.service().reservedCores();
    }

    Freed.Ends withoutFixes() {
        Candidate plain = decision.withoutFixes();
        if (!plain.changes() || !plain.reached()) {
            return Freed.NONE;
        }
        double value = reserved() - plain.cores();
        return new Freed.Ends(
                Math.min(value, reserved() - kept(plain, nearest, 1)),
                value,
                Math.max(value, reserved() - kept(plain, farthest, 1)));
    }

    /**
     * How sure the gain is and how sure the need is that it lessens: two errors that know nothing
     * of each other.
     */
    Freed.Ends byFixes(Candidate candidate, FixSet set) {
        double base = base();
        double value = base - candidate.cores();
        double gainedLess = base - kept(candidate, headroom(), set.gainLow());
        double gainedMore = base - kept(candidate, headroom(), set.gainHigh());
        double needsLess = base(farthest) - kept(candidate, farthest, set.gain());
        double needsMore = base(nearest) - kept(candidate, nearest, set.gain());
        double below = Math.hypot(down(value, gainedLess), down(value, needsLess));
        double above = Math.hypot(down(gainedMore, value), down(needsMore, value));
        double most = base - decision.service().floorCores();
        return new Freed.Ends(
                Math.max(Math.min(0, value), value - below),
                value,
                Math.max(value, Math.min(most, value + above)));
    }

    private static double down(double from, double to) {
        return Math.max(0, from - to);
    }

    private double headroom() {
        return decision.service().provisioning().headroom();
    }

    /** What the service keeps without fixes, of what it has. */
    private double base() {
        Candidate plain = decision.withoutFixes();
        return plain.reached() ? Math.min(reserved(), plain.cores()) : reserved();
    }

    private double base(double headroom) {
        Candidate plain = decision.withoutFixes();
        return plain.changes() && plain.reached()
                ? Math.min(reserved(), kept(plain, headroom, 1))
                : reserved();
    }

    /**
     * What a candidate keeps at another cliff or gain. Where the target asks for more than need and
     * gain do, it does so in proportion.
     */
    private double kept(Candidate candidate, double headroom, double gain) {
        Service service = decision.service();
        double asked = least(candidate, service, Service.gain(candidate.fixes()));
        double other = least(candidate, service.atHeadroom(headroom), gain);
        if (candidate.decidedBy() == DecidedBy.FLOOR || candidate.decidedBy() == DecidedBy.GAIN) {
            return other;
        }
        return Math.max(service.floorCores(), candidate.cores() * other / asked);
    }

    private static double least(Candidate candidate, Service service, double gain) {
        return candidate.setting().wholeCpus()
                ? service.leastCpus(gain) * (double) service.provisioning().shards()
                : service.leastCores(gain);
    }
}
