package io.quotascope.jobs.rollup;

import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;

/**
 * An accepted record of one shard.
 *
 * @param framed the message that it came in, which is what travels between operators
 * @param window what it says
 * @param part the row that it adds to
 */
public record ShardArrival(byte[] framed, ShardWindow window, WindowPart part) {}
