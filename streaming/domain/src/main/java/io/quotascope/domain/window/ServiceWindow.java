package io.quotascope.domain.window;

/**
 * One row: the sums of one service, class and minute over the records of one arrival part.
 *
 * @param sums the sums
 * @param part slot of arrival ({@link WindowPart})
 * @param revision reprocessing revision; rises with a deliberate recomputation
 */
public record ServiceWindow(ServiceSums sums, long part, long revision) {}
