package io.quotascope.domain.kernel;

import java.util.Collection;
import java.util.List;

/**
 * What is said of one host's kernel: the versions' rules and the behaviour seen, each with its
 * reason, and what both together mean.
 *
 * @param verdict what both together mean
 * @param rules verdicts of the rules on the release
 * @param strandedCoresLow cores of quota certainly lost on this host, summed over its shards
 * @param shardsThrottled shards that were throttled
 * @param shardsStranded shards among them whose throttling their usage does not explain
 * @param reason why, in words
 */
public record KernelFinding(
        Verdict verdict,
        List<RuleVerdict> rules,
        double strandedCoresLow,
        int shardsThrottled,
        int shardsStranded,
        String reason) {

    /** What version and behaviour mean together. */
    public enum Verdict {
        /** The version loses quota and quota was lost. */
        CONFIRMED,
        /** The version loses quota; no shard was throttled without reason in this time. */
        AFFECTED_NOT_SEEN,
        /** Quota was lost and the version does not tell whether it is the kernel's fault. */
        BEHAVES_AFFECTED,
        /** Quota seems lost on a kernel that does not lose any: something else is wrong. */
        UNEXPLAINED,
        /** The version does not tell, and nothing speaks for a fault. */
        NOT_SEEN,
        /** The version loses no quota and none was lost. */
        SOUND
    }

    /** Joins version and behaviour. */
    public static KernelFinding of(String kernelRelease, Collection<StrandedQuota> shards) {
        List<RuleVerdict> rules = KernelRulebook.judge(kernelRelease);
        int throttled = 0;
        int stranded = 0;
        double cores = 0;
        for (StrandedQuota shard : shards) {
            throttled += shard.standing() == StrandedQuota.Standing.NOT_THROTTLED ? 0 : 1;
            stranded += shard.standing() == StrandedQuota.Standing.STRANDED ? 1 : 0;
            cores += shard.strandedCoresLow();
        }
        RuleVerdict expiry =
                rules.stream()
                        .filter(rule -> rule.rule() == KernelRule.SLICE_EXPIRY)
                        .findFirst()
                        .orElseThrow();
        Verdict verdict = verdict(expiry.standing(), stranded > 0);
        String reason =
                kernelRelease + ": " + expiry.reason() + "; " + behaviour(throttled, stranded);
        return new KernelFinding(verdict, rules, cores, throttled, stranded, reason);
    }

    static Verdict verdict(RuleVerdict.Standing version, boolean lost) {
        return switch (version) {
            case APPLIES -> lost ? Verdict.CONFIRMED : Verdict.AFFECTED_NOT_SEEN;
            case UNKNOWN -> lost ? Verdict.BEHAVES_AFFECTED : Verdict.NOT_SEEN;
            case DOES_NOT_APPLY -> lost ? Verdict.UNEXPLAINED : Verdict.SOUND;
        };
    }

    static String behaviour(int throttled, int stranded) {
        if (throttled == 0) {
            return "no shard was throttled";
        }
        return stranded == 0
                ? "usage explains the throttling of all " + throttled + " throttled shards"
                : stranded
                        + " of "
                        + throttled
                        + " throttled shards used far less than they were handed out";
    }
}
