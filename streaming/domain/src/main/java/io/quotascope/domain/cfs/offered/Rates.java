package io.quotascope.domain.cfs.offered;

/** The rate of a law in one slot of 10 ms after the other, at load 1. */
@FunctionalInterface
interface Rates {
    /** Length of a slot, microseconds. */
    long SLOT_US = 10_000;

    /** Arrivals a second in the next slot. */
    double next();

    static Rates of(ArrivalLaw.Modulated law, Draws draws) {
        double keep = StrictMath.exp(-(double) SLOT_US / law.correlationUs());
        double fresh = StrictMath.sqrt(1 - keep * keep);
        double[] x = {draws.gaussian()};
        return () -> {
            double sd = law.logSd();
            double rate = law.perSecond() * StrictMath.exp(sd * x[0] - sd * sd / 2);
            x[0] = keep * x[0] + fresh * draws.gaussian();
            return rate;
        };
    }

    static Rates of(ArrivalLaw.OnOff law, Draws draws) {
        boolean[] on = {draws.uniform() * (law.onUs() + law.offUs()) < law.onUs()};
        double[] leftUs = {stay(law, on[0], draws)};
        return () -> {
            double rate = 0;
            double slotLeftUs = SLOT_US;
            while (slotLeftUs > 0) {
                double partUs = Math.min(slotLeftUs, leftUs[0]);
                rate += (on[0] ? law.onPerSecond() : law.offPerSecond()) * partUs / SLOT_US;
                slotLeftUs -= partUs;
                leftUs[0] -= partUs;
                if (leftUs[0] <= 0) {
                    on[0] = !on[0];
                    leftUs[0] = stay(law, on[0], draws);
                }
            }
            return rate;
        };
    }

    private static double stay(ArrivalLaw.OnOff law, boolean on, Draws draws) {
        double mean = on ? law.onUs() : law.offUs();
        double unit = law.tailShape() > 0 ? draws.pareto(law.tailShape()) : draws.exponential();
        return Math.max(1, mean * unit);
    }

    static Rates of(ArrivalLaw.Recorded law) {
        int[] slot = {0};
        return () -> {
            double rate = law.slotPerSecond().get(slot[0]);
            slot[0] = (slot[0] + 1) % law.slotPerSecond().size();
            return rate;
        };
    }

    static Rates of(ArrivalLaw.Pulse law) {
        long[] startUs = {0};
        return () -> {
            long from = Math.max(startUs[0], law.fromUs());
            startUs[0] += SLOT_US;
            long until = Math.min(startUs[0], law.untilUs());
            return law.pulsePerSecond() * Math.max(0, until - from) / SLOT_US;
        };
    }
}
