package io.quotascope.domain.cfs.offered;

import java.util.SplittableRandom;

/** Draws from a seeded stream. StrictMath makes them the same on every machine. */
final class Draws {
    private final SplittableRandom random;

    Draws(long seed, long stream) {
        // The stream's number goes through the generator once, so that neighbours are unrelated.
        random = new SplittableRandom(seed ^ new SplittableRandom(stream).nextLong());
    }

    /** In [0, 1). */
    double uniform() {
        return random.nextDouble();
    }

    /** In [least, most]. */
    int uniform(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    /** Exponential with mean 1. */
    double exponential() {
        return -StrictMath.log1p(-random.nextDouble());
    }

    /** Standard normal, by Box and Muller. */
    double gaussian() {
        double radius = StrictMath.sqrt(2 * exponential());
        return radius * StrictMath.cos(2 * StrictMath.PI * random.nextDouble());
    }

    /** Pareto with mean 1 and a shape above 1. */
    double pareto(double shape) {
        return (shape - 1) / shape * StrictMath.exp(exponential() / shape);
    }

    /** At least 1, geometric with this mean. */
    int geometric(double mean) {
        if (mean <= 1) {
            return 1;
        }
        return 1 + (int) (exponential() / -StrictMath.log1p(-1 / mean));
    }
}
