package io.quotascope.domain.window;

/**
 * Which run of which agent sent a record, and which record of it.
 *
 * @param hostId stable identity of the host
 * @param agentEpoch start of the agent process, microseconds since the Unix epoch
 * @param seq number within (host, epoch) and record type, from 0, rising by one
 */
public record Sender(String hostId, long agentEpoch, long seq) {}
