package io.quotascope.domain.cfs;

/**
 * What the threads of a group do. The simulator asks it when a thread has done its work and at the
 * instants that it names; the workload never looks at CPUs.
 */
public interface Workload {
    /** Instant of a thing that does not happen. */
    long NEVER = Long.MAX_VALUE;

    /** How many threads there are; they are numbered from 0 and start asleep. */
    int threads();

    /** Next instant at which this workload wants to act, microseconds; {@link #NEVER} if none. */
    long actsAtUs();

    /** Acts: the CPUs have been looked after, and threads that are asleep may be woken. */
    void act(long nowUs, Wakeups wakeups);

    /**
     * A thread has done its work.
     *
     * @return work to go on with at once, microseconds; 0 = the thread goes to sleep
     */
    long finished(int thread, long nowUs);

    /** Wakes threads. */
    @FunctionalInterface
    interface Wakeups {
        /** A sleeping thread wakes with so much work, microseconds of CPU time, at least 1. */
        void wake(int thread, long workUs);
    }
}
