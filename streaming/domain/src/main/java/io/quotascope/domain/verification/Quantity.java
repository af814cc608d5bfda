package io.quotascope.domain.verification;

import java.util.OptionalDouble;

/** What is compared before and after a change. */
public enum Quantity {
    /** Throttled periods / periods; effects are differences of ratios. */
    THROTTLED_PERIOD_RATIO("throttled_period_ratio", Scale.DIFFERENCE),
    /** Used cores; effects are factors - 1. */
    USED_CORES("used_cores", Scale.FACTOR),
    /** Reserved cores; effects are factors - 1. */
    RESERVED_CORES("reserved_cores", Scale.FACTOR),
    /** Used core-seconds per request, only where requests are known; effects are factors - 1. */
    CPU_PER_REQUEST("cpu_us_per_request", Scale.FACTOR),
    /** 99th percentile of latency, only where it is known; effects are factors - 1. */
    LATENCY_P99("latency_us_p99", Scale.FACTOR);

    /** How an effect is expressed. */
    enum Scale {
        /** after - before. */
        DIFFERENCE,
        /** after / before - 1, averaged as logarithms. */
        FACTOR
    }

    private final String label;
    private final Scale scale;

    Quantity(String label, Scale scale) {
        this.label = label;
        this.scale = scale;
    }

    /** Name in records and reports. */
    public String label() {
        return label;
    }

    /** The quantity in one hour on the scale on which effects add; absent where it is not known. */
    OptionalDouble of(ServiceHour hour) {
        return switch (this) {
            case THROTTLED_PERIOD_RATIO ->
                    hour.periods() == 0
                            ? OptionalDouble.empty()
                            : OptionalDouble.of(hour.throttledPeriods() / (double) hour.periods());
            case USED_CORES -> logarithm(hour.usedCores());
            case RESERVED_CORES -> logarithm(hour.reservedCores().orElse(0));
            case CPU_PER_REQUEST ->
                    hour.requests().orElse(0) == 0
                            ? OptionalDouble.empty()
                            : logarithm(hour.usedCores() / hour.requests().getAsLong());
            case LATENCY_P99 -> logarithm(hour.latencyUsP99().orElse(0));
        };
    }

    /** An effect as readers state it, from the scale on which effects add. */
    double stated(double effect) {
        return scale == Scale.DIFFERENCE ? effect : StrictMath.expm1(effect);
    }

    private static OptionalDouble logarithm(double value) {
        return value > 0 ? OptionalDouble.of(StrictMath.log(value)) : OptionalDouble.empty();
    }
}
