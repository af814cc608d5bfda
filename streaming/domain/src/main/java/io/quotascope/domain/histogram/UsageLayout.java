package io.quotascope.domain.histogram;

/**
 * Used cores of one shard in one sample, layout version 1: 227 buckets over absolute cores, 16 to
 * the octave, so a bucket is at most 1/16 wide relative to its lower edge and a quantile is at most
 * 3.1 % from any member of its bucket.
 *
 * <p>With v = floor(512 x usage / elapsed): bucket 0 = no use at all; 1 = some use below 1/32 core;
 * 226 = 512 cores or more; between, bucket 2 + 16 e + s covers [(16 + s) 2^e, (17 + s) 2^e) / 512
 * cores. Source: schemas/README.md, section Packings.
 */
public final class UsageLayout implements BucketLayout {
    /** The number that records carry in layout_version. */
    public static final int VERSION = 1;

    /** The only instance; the layout has no parameters. */
    public static final UsageLayout V1 = new UsageLayout();

    private static final int IDLE = 0;
    private static final int BELOW_FIRST_OCTAVE = 1;
    private static final int TOP = 226;
    private static final int PER_OCTAVE = 16;
    private static final long CORE = 512;
    private static final long TOP_CORES = 512 * CORE;
    private static final long MULTIPLIABLE_MAX = Long.MAX_VALUE / CORE;

    private UsageLayout() {}

    /**
     * The bucket of a usage over an elapsed time, both in the same unit (ns or us).
     *
     * @throws IllegalArgumentException when usage is negative or beyond 2^54, or elapsed is not
     *     positive
     */
    public static int bucket(long usage, long elapsed) {
        if (usage < 0 || usage > MULTIPLIABLE_MAX || elapsed <= 0) {
            throw new IllegalArgumentException("usage " + usage + " over " + elapsed);
        }
        if (usage == 0) {
            return IDLE;
        }
        long v = CORE * usage / elapsed;
        if (v < PER_OCTAVE) {
            return BELOW_FIRST_OCTAVE;
        }
        if (v >= TOP_CORES) {
            return TOP;
        }
        int e = 64 - Long.numberOfLeadingZeros(v) - 5;
        return 2 + PER_OCTAVE * e + (int) (v >> e) - PER_OCTAVE;
    }

    @Override
    public int bucketCount() {
        return TOP + 1;
    }

    /**
     * Cores in the middle of the bucket; 0 for idle, 1/64 for the first, 512 for the open last one.
     */
    @Override
    public double value(int bucket) {
        if (bucket <= BELOW_FIRST_OCTAVE) {
            return bucket == IDLE ? 0.0 : 1.0 / 64.0;
        }
        if (bucket >= TOP) {
            return 512.0;
        }
        // (16 + s + 17 + s) 2^e / 1024, exact in a double
        return (double) ((2L * sixteenths(bucket) + 1) << octave(bucket)) / (2 * CORE);
    }

    /**
     * Cores at the lower edge; 0 for idle and for the first bucket, which holds anything above 0.
     */
    @Override
    public double lowerBound(int bucket) {
        if (bucket <= BELOW_FIRST_OCTAVE) {
            return 0.0;
        }
        return (double) ((long) sixteenths(bucket) << octave(bucket)) / CORE;
    }

    private static int octave(int bucket) {
        return (bucket - 2) / PER_OCTAVE;
    }

    private static int sixteenths(int bucket) {
        return PER_OCTAVE + (bucket - 2) % PER_OCTAVE;
    }
}
