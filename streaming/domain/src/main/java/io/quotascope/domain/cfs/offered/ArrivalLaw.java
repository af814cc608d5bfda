package io.quotascope.domain.cfs.offered;

import java.util.List;

/** When requests arrive at load 1. All rates are a second, all times microseconds. */
public sealed interface ArrivalLaw {
    /** Mean arrivals a second at load 1, over a long time. */
    double perSecond();

    /** Poisson. */
    record Steady(double perSecond) implements ArrivalLaw {}

    /**
     * Poisson at a rate whose logarithm wanders (an Ornstein-Uhlenbeck process).
     *
     * @param logSd standard deviation of the logarithm
     * @param correlationUs time after which it has mostly forgotten
     */
    record Modulated(double perSecond, double logSd, long correlationUs) implements ArrivalLaw {}

    /**
     * Poisson at one of two rates in turn.
     *
     * @param onPerSecond rate while on
     * @param offPerSecond rate while off
     * @param onUs mean time on
     * @param offUs mean time off
     * @param tailShape shape of the Pareto law of both times, above 1; 0 = exponential
     */
    record OnOff(double onPerSecond, double offPerSecond, long onUs, long offUs, double tailShape)
            implements ArrivalLaw {
        @Override
        public double perSecond() {
            return (onPerSecond * onUs + offPerSecond * offUs) / (onUs + offUs);
        }
    }

    /**
     * Clumps at the instants of a Poisson process, each of a geometric number of requests.
     *
     * @param clumpsPerSecond rate of clumps; this is what the load multiplies
     * @param requests mean number of requests in a clump
     * @param withinUs they arrive anywhere within this time
     */
    record Clumps(double clumpsPerSecond, double requests, long withinUs) implements ArrivalLaw {
        @Override
        public double perSecond() {
            return clumpsPerSecond * Math.max(1, requests);
        }
    }

    /**
     * A batch at regular instants; the load multiplies its size.
     *
     * @param firstUs first instant
     * @param everyUs distance
     * @param requests requests of a batch
     * @param withinUs they arrive evenly over this time
     */
    record Schedule(long firstUs, long everyUs, double requests, long withinUs)
            implements ArrivalLaw {
        @Override
        public double perSecond() {
            return requests * 1e6 / everyUs;
        }
    }

    /**
     * Poisson at a recorded rate, from its beginning again when it ends.
     *
     * @param slotPerSecond rate in every slot of 10 ms
     */
    record Recorded(List<Double> slotPerSecond) implements ArrivalLaw {
        /** At least one slot. */
        public Recorded {
            slotPerSecond = List.copyOf(slotPerSecond);
            if (slotPerSecond.isEmpty()) {
                throw new IllegalArgumentException("a recorded rate needs a slot");
            }
        }

        @Override
        public double perSecond() {
            return slotPerSecond.stream().mapToDouble(Double::doubleValue).average().orElseThrow();
        }
    }

    /** Poisson within [from, until) and nobody outside. Its mean over a long time is 0. */
    record Pulse(long fromUs, long untilUs, double pulsePerSecond) implements ArrivalLaw {
        @Override
        public double perSecond() {
            return 0;
        }
    }
}
