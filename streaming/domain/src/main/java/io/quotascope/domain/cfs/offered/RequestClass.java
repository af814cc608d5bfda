package io.quotascope.domain.cfs.offered;

/**
 * A kind of request.
 *
 * @param arrivals when they arrive
 * @param tasksMin least fan-out
 * @param tasksMax greatest fan-out; any number between is as likely
 * @param work work of a task
 * @param pool number of the service's pool that works on it, from 0
 */
public record RequestClass(
        ArrivalLaw arrivals, int tasksMin, int tasksMax, WorkLaw work, int pool) {
    /**
     * A fan-out.
     *
     * @throws IllegalArgumentException when it is empty
     */
    public RequestClass {
        if (tasksMin < 1 || tasksMax < tasksMin) {
            throw new IllegalArgumentException("no such fan-out: " + tasksMin + " to " + tasksMax);
        }
    }

    /** Requests to the first pool. */
    public RequestClass(ArrivalLaw arrivals, int tasksMin, int tasksMax, WorkLaw work) {
        this(arrivals, tasksMin, tasksMax, work, 0);
    }

    /** Mean work of a request, microseconds. */
    public double requestWorkUs() {
        return (tasksMin + tasksMax) / 2.0 * work.meanUs();
    }

    /** Cores offered at load 1, over a long time. */
    public double offeredCores() {
        return arrivals.perSecond() * requestWorkUs() / 1e6;
    }

    /** The same requests at other instants. */
    public RequestClass with(ArrivalLaw other) {
        return new RequestClass(other, tasksMin, tasksMax, work, pool);
    }
}
