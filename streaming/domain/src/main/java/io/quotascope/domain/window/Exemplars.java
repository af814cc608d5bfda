package io.quotascope.domain.window;

import io.quotascope.domain.histogram.PackedBytes;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The two exemplars of a row: one drawn by hash, one of the record with the most throttled time.
 *
 * @param drawn the exemplar with the smallest hash; absent when no record carries one
 * @param worst the exemplar of the worst record that carries one; absent when none does
 */
public record Exemplars(Optional<Drawn> drawn, Optional<Worst> worst) {
    /** No record carries one. */
    public static final Exemplars NONE = new Exemplars(Optional.empty(), Optional.empty());

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    /** An exemplar and the hash it was drawn by. */
    public record Drawn(long hash, PackedBytes samples) {
        Drawn least(Drawn other) {
            int order = Long.compare(hash, other.hash);
            return order < 0 || order == 0 && samples.compareTo(other.samples) <= 0 ? this : other;
        }
    }

    /**
     * The exemplar of the worst record.
     *
     * @param rank the record it belongs to; absent when read from a row, which does not carry it
     */
    public record Worst(Optional<WorstShard> rank, PackedBytes samples) {
        Worst least(Worst other) {
            int order = compare(rank, other.rank);
            return order < 0 || order == 0 && samples.compareTo(other.samples) <= 0 ? this : other;
        }

        private static int compare(Optional<WorstShard> one, Optional<WorstShard> other) {
            if (one.isEmpty() || other.isEmpty()) {
                return Boolean.compare(one.isEmpty(), other.isEmpty());
            }
            return one.get().compareTo(other.get());
        }
    }

    /** FNV-1a 64 over the ASCII text shard_id:window_start_us. */
    public static long hash(long shardId, long windowStartUs) {
        long hash = FNV_OFFSET;
        for (byte octet : (shardId + ":" + windowStartUs).getBytes(StandardCharsets.US_ASCII)) {
            hash = (hash ^ octet) * FNV_PRIME;
        }
        return hash;
    }

    Exemplars withWorstOf(WorstShard rank) {
        return new Exemplars(
                drawn, worst.map(known -> new Worst(Optional.of(rank), known.samples())));
    }

    Exemplars plus(ShardWindow window) {
        if (window.exemplar().isEmpty()) {
            return this;
        }
        PackedBytes samples = window.exemplar().get();
        return plus(
                new Exemplars(
                        Optional.of(
                                new Drawn(hash(window.shardId(), window.windowStartUs()), samples)),
                        Optional.of(new Worst(Optional.of(WorstShard.of(window)), samples))));
    }

    Exemplars plus(Exemplars other) {
        return new Exemplars(
                drawn.isEmpty() || other.drawn.isEmpty()
                        ? drawn.or(() -> other.drawn)
                        : Optional.of(drawn.get().least(other.drawn.get())),
                worst.isEmpty() || other.worst.isEmpty()
                        ? worst.or(() -> other.worst)
                        : Optional.of(worst.get().least(other.worst.get())));
    }
}
