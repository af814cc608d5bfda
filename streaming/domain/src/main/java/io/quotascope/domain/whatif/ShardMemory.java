package io.quotascope.domain.whatif;

/**
 * Memory of a shard, of which a part does not grow with its load: code, connection pools, caches
 * that every shard holds alike.
 *
 * @param bytes of one shard
 * @param sharedBytes of them, held once however many shards are merged
 */
public record ShardMemory(long bytes, long sharedBytes) {
    /**
     * Memory of which a part is shared.
     *
     * @throws IllegalArgumentException when a part is negative or exceeds the whole
     */
    public ShardMemory {
        if (sharedBytes < 0 || bytes < sharedBytes) {
            throw new IllegalArgumentException(sharedBytes + " of " + bytes + " bytes");
        }
    }

    /** Bytes of so many shards in one. */
    public long merged(int shards) {
        return Math.addExact(sharedBytes, Math.multiplyExact((long) shards, bytes - sharedBytes));
    }

    /** Most shards that fit in one with so many bytes; 0 when not even one does. */
    public int mergeable(long bytesMax) {
        if (bytes > bytesMax) {
            return 0;
        }
        long own = bytes - sharedBytes;
        return own == 0
                ? Integer.MAX_VALUE
                : (int) Math.min(Integer.MAX_VALUE, (bytesMax - sharedBytes) / own);
    }
}
