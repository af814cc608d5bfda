package io.quotascope.domain.kernel;

/**
 * Whether a rule holds for a kernel release, and why.
 *
 * @param rule the rule
 * @param standing the answer
 * @param reason why, in words
 */
public record RuleVerdict(KernelRule rule, Standing standing, String reason) {
    /** The answer to a rule. */
    public enum Standing {
        /** The release has it. */
        APPLIES,
        /** The release does not have it, or has the fix. */
        DOES_NOT_APPLY,
        /** The release does not tell; the reason says what would. */
        UNKNOWN
    }

    static RuleVerdict applies(KernelRule rule, String reason) {
        return new RuleVerdict(rule, Standing.APPLIES, reason);
    }

    static RuleVerdict doesNotApply(KernelRule rule, String reason) {
        return new RuleVerdict(rule, Standing.DOES_NOT_APPLY, reason);
    }

    static RuleVerdict unknown(KernelRule rule, String reason) {
        return new RuleVerdict(rule, Standing.UNKNOWN, reason);
    }
}
