package io.quotascope.domain.kernel;

/**
 * What is known to go wrong, or to be different, in some kernels' bandwidth control.
 *
 * <p>Evidence: S = stated in the articles on the fault (Chiluk, Indeed), C = read in commits,
 * issues or test suites, U = not verified by us.
 */
public enum KernelRule {
    /** Quota expired early because CPUs' clocks differ; rare. Before commit 512ac999. */
    EXPIRY_SKEW("expiry-skew", "SC", "quota expires early by the skew of CPUs' clocks"),
    /** Unused bandwidth slices expire each period: up to (CPUs - 1) ms of quota are stranded. */
    SLICE_EXPIRY("slice-expiry", "SC", "unused bandwidth slices expire in every period"),
    /**
     * With a short period and many children the kernel scales the period up and the ratio drifts.
     */
    PERIOD_SCALING("period-scaling", "C", "short periods are scaled up and quota/period drifts"),
    /** Waking thousands of throttled groups holds a CPU for too long on large hosts. */
    UNTHROTTLE_LOCKUP("unthrottle-lockup", "CU", "hard lock-up when very many groups wake at once"),
    /**
     * Not a fault: tasks are throttled on return to user mode, so system calls overrun the quota.
     */
    PER_TASK_THROTTLE("per-task-throttle", "C", "tasks are throttled on return to user mode");

    private final String label;
    private final String evidence;
    private final String effect;

    KernelRule(String label, String evidence, String effect) {
        this.label = label;
        this.evidence = evidence;
        this.effect = effect;
    }

    /** Name in records and reports. */
    public String label() {
        return label;
    }

    /** Letters of the kinds of evidence. */
    public String evidence() {
        return evidence;
    }

    /** What happens, in words. */
    public String effect() {
        return effect;
    }

    /** Whether it makes containers slower than their quota allows. */
    public boolean isFault() {
        return this != PER_TASK_THROTTLE;
    }
}
