package io.quotascope.domain.cfs;

/** What happens when the last task leaves a CPU at the very instant its runtime is used up. */
public enum Departure {
    /**
     * The kernel settles the account before it looks at who is left: the CPU draws one more slice
     * and returns most of it, or its empty run queue is throttled ("throttle-on-deactivate") and
     * the period counts as throttled although nobody waits.
     */
    KERNEL,
    /** The articles count by hand: a CPU that nobody needs draws nothing and is not throttled. */
    ARTICLE
}
