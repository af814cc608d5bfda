package io.quotascope.jobs.io.log;

import io.quotascope.domain.window.Refusal;

/**
 * A message that was refused, whole, with what a person needs to understand and to replay it.
 *
 * @param source the message
 * @param refusal why
 */
public record DeadLetter(LogRecord source, Refusal refusal) {}
