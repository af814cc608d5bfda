package io.quotascope.domain.window;

/**
 * A thread name that used CPU in samples above quota.
 *
 * @param comm the kernel's thread name, digits folded
 * @param usageUs CPU time of these threads in those samples, microseconds
 */
public record ExcursionThread(String comm, long usageUs) {}
