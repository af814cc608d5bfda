package io.quotascope.validate.population;

import java.util.SplittableRandom;

/** Draws of one service's parameters from a seed. */
final class Chance {
    private final SplittableRandom random;

    Chance(long seed, long number) {
        random = new SplittableRandom(seed * 1_000_003 + new SplittableRandom(number).nextLong());
    }

    double uniform(double from, double to) {
        return from + (to - from) * random.nextDouble();
    }

    /** Every factor is as likely. */
    double factor(double from, double to) {
        return from * StrictMath.exp(random.nextDouble() * StrictMath.log(to / from));
    }

    int whole(double value) {
        return (int) Math.max(1, Math.round(value));
    }

    boolean happens(double probability) {
        return random.nextDouble() < probability;
    }

    @SafeVarargs
    final <T> T oneOf(T... values) {
        return values[random.nextInt(values.length)];
    }

    long seed() {
        return random.nextLong();
    }
}
