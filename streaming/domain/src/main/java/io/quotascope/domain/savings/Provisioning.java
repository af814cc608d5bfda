package io.quotascope.domain.savings;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a service reserves and what keeps it from reserving less, whatever its CPU does.
 *
 * @param shards shards
 * @param reservedCores cores reserved per shard
 * @param peakUsedCores greatest use of the whole service in the peak hours, cores
 * @param headroom collapse load / peak load of today
 * @param memoryFloorBytes least memory per shard; absent when the owner states none
 * @param memoryBytes memory reserved per shard; absent when not known
 * @param minimumShards least number of shards; absent when the owner states none
 */
public record Provisioning(
        int shards,
        double reservedCores,
        double peakUsedCores,
        double headroom,
        OptionalLong memoryFloorBytes,
        OptionalLong memoryBytes,
        OptionalInt minimumShards) {
    /**
     * How tightly an organisation provisions.
     *
     * @param headroomTarget collapse load / peak load to keep
     * @param utilizationMax highest share of a reservation that the peak should use
     * @param failedShardsRatio share of the shards that may fail at once
     */
    public record Targets(double headroomTarget, double utilizationMax, double failedShardsRatio) {
        /** Headroom 1.4, ceiling 80 %, one shard in ten. */
        public static final Targets DEFAULT = new Targets(1.4, 0.8, 0.1);
    }

    /**
     * Least reservation of one shard, cores: 10 ms of each period of 100 ms. The number of shards
     * that must stay says nothing about their size, so each may shrink, but not to where a single
     * short request sleeps.
     */
    private static final double SHARD_CORES_MIN = 0.1;

    /**
     * A service that reserves something.
     *
     * @throws IllegalArgumentException when a number is out of range
     */
    public Provisioning {
        if (shards < 1 || !(reservedCores > 0) || !(peakUsedCores >= 0) || !(headroom > 0)) {
            throw new IllegalArgumentException(
                    shards + " shards of " + reservedCores + " cores, headroom " + headroom);
        }
    }

    /** The same were its cliff elsewhere. */
    public Provisioning atHeadroom(double other) {
        return new Provisioning(
                shards,
                reservedCores,
                peakUsedCores,
                other,
                memoryFloorBytes,
                memoryBytes,
                minimumShards);
    }

    /** Reserved cores of all shards. */
    public double reservedCoresTotal() {
        return shards * reservedCores;
    }

    /** Cores that plain right-sizing would keep: the same configuration at the target headroom. */
    public double rightSizedCores(Targets targets) {
        double kept = reservedCoresTotal() * targets.headroomTarget() / headroom;
        return Math.max(floorCores(targets), Math.min(reservedCoresTotal(), kept));
    }

    /** Cores below which other reasons than CPU forbid to go; never above what is reserved. */
    public double floorCores(Targets targets) {
        double survivors = 1 - targets.failedShardsRatio();
        double peak = peakUsedCores / targets.utilizationMax() / survivors;
        double fewestShards = minimumShards.orElse(1) * Math.min(reservedCores, SHARD_CORES_MIN);
        double memory =
                memoryFloorBytes.isPresent() && memoryBytes.orElse(0) > 0
                        ? reservedCoresTotal()
                                * Math.min(
                                        1,
                                        memoryFloorBytes.getAsLong()
                                                / (double) memoryBytes.getAsLong())
                        : 0;
        return Math.min(reservedCoresTotal(), Math.max(peak, Math.max(fewestShards, memory)));
    }
}
