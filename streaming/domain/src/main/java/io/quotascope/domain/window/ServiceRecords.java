package io.quotascope.domain.window;

/**
 * How many shard records of one service and setting a host says it sent in one window.
 *
 * @param service deployable
 * @param bandwidth quota and period of the shards
 * @param shardRecords records handed over
 */
public record ServiceRecords(String service, Bandwidth bandwidth, int shardRecords) {}
