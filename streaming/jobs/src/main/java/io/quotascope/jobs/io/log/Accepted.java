package io.quotascope.jobs.io.log;

import io.quotascope.domain.window.WindowPart;
import java.util.OptionalLong;

/**
 * A record that counts: valid, in time and no repetition.
 *
 * @param framed the message that it came in
 * @param record what it says
 * @param appendTimeMs append time that decided its part, milliseconds since the Unix epoch
 * @param part the minute and the slot of arrival of its row
 * @param missingBefore records of the same run that the log lacks just before this one; absent when
 *     it is the first that the log holds of a run and not the run's number 0
 */
public record Accepted<R>(
        byte[] framed, R record, long appendTimeMs, WindowPart part, OptionalLong missingBefore) {}
