package io.quotascope.jobs.hosts;

import io.quotascope.domain.hosts.HostKey;

/**
 * A host, when it was heard last and when that is looked at next.
 *
 * @param key the host
 * @param lastAppendMs append time of its last window, milliseconds since the Unix epoch
 */
public record Speaker(HostKey key, long lastAppendMs) {}
