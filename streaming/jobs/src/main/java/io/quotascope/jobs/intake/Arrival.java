package io.quotascope.jobs.intake;

/**
 * A decoded and valid record with the bytes it came in. The bytes are what travels between
 * operators: they are smaller than the object and reading them again is cheaper than writing the
 * object anew.
 *
 * @param framed the message
 * @param record what it says
 * @param appendTimeMs its append time, milliseconds since the Unix epoch
 */
public record Arrival<R>(byte[] framed, R record, long appendTimeMs) {}
