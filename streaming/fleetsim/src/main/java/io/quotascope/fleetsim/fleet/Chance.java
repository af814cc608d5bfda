package io.quotascope.fleetsim.fleet;

import java.util.SplittableRandom;

/**
 * Draws from a seed and the number of a stream. StrictMath and {@link SplittableRandom} make them
 * the same on every machine.
 */
public final class Chance {
    private final SplittableRandom random;

    /** The stream's number goes through a generator, so that neighbouring streams are unrelated. */
    public Chance(long seed, long stream) {
        random = new SplittableRandom(mixed(seed, stream));
    }

    /** One number of 64 bits from two. */
    public static long mixed(long seed, long stream) {
        return new SplittableRandom(seed * 0x9E3779B97F4A7C15L + stream).nextLong();
    }

    /** A number in [0, 1) that is always the same for the same arguments. */
    public static double fraction(long seed, long stream) {
        return (mixed(seed, stream) >>> 11) * 0x1p-53;
    }

    /** A standard normal number that is always the same for the same arguments. */
    public static double gaussian(long seed, long stream) {
        return new Chance(seed, stream).gaussian();
    }

    /** In [from, to). */
    double uniform(double from, double to) {
        return from + (to - from) * random.nextDouble();
    }

    /** In [from, to); every factor is as likely. */
    double factor(double from, double to) {
        return from * StrictMath.exp(random.nextDouble() * StrictMath.log(to / from));
    }

    /** In [0, bound). */
    int below(int bound) {
        return random.nextInt(bound);
    }

    double gaussian() {
        double radius = StrictMath.sqrt(-2 * StrictMath.log1p(-random.nextDouble()));
        return radius * StrictMath.cos(2 * StrictMath.PI * random.nextDouble());
    }

    long seed() {
        return random.nextLong();
    }
}
