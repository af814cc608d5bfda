package io.quotascope.fleetsim.fleet;

/**
 * One shard.
 *
 * @param number index within its service
 * @param name name within its service
 * @param shardId identity
 * @param host where it runs
 * @param levelOffset by how many levels its load differs from that of the service
 */
public record ShardPlace(int number, String name, long shardId, Host host, int levelOffset) {}
