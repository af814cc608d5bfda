package io.quotascope.domain.savings;

/**
 * Kinds of changes that a service can be offered, with what each takes. Effort and probability are
 * judgements of practice, not measurements (docs/model/savings.md says where they come from); an
 * owner's organisation may overrule them.
 */
public enum FixKind {
    /** Burst allowance: one field of the cgroup, kernels from 5.14. */
    BURST("burst", 0.5, 0.9),
    /** Enforcement period: one flag of the kubelet or one field of the cgroup. */
    PERIOD("period", 0.5, 0.8),
    /** Sizes of thread pools: configuration and a canary. */
    POOLS("thread pools", 3, 0.7),
    /** Whole CPUs instead of a quota: needs hosts with the static policy. */
    PINNING("pinning", 5, 0.8),
    /** A scheduler that never runs more threads than the quota's cores: a patched kernel. */
    CONCURRENCY_CAP("concurrency cap", 10, 0.6);

    private final String label;
    private final double effortDays;
    private final double successProbability;

    FixKind(String label, double effortDays, double successProbability) {
        this.label = label;
        this.effortDays = effortDays;
        this.successProbability = successProbability;
    }

    /** Name in reports. */
    public String label() {
        return label;
    }

    /** Work of people for one service, days. */
    public double effortDays() {
        return effortDays;
    }

    /** Probability that the change is made and stays, 0..1. */
    public double successProbability() {
        return successProbability;
    }
}
