package io.quotascope.domain.kernel;

import static io.quotascope.domain.kernel.KernelRule.EXPIRY_SKEW;
import static io.quotascope.domain.kernel.KernelRule.PERIOD_SCALING;
import static io.quotascope.domain.kernel.KernelRule.PER_TASK_THROTTLE;
import static io.quotascope.domain.kernel.KernelRule.SLICE_EXPIRY;
import static io.quotascope.domain.kernel.KernelRule.UNTHROTTLE_LOCKUP;

import java.util.Arrays;
import java.util.List;

/**
 * Judges a kernel release by every rule. A release is compared within its vendor's line only; where
 * the release does not decide, the answer is unknown with the reason, never a guess.
 *
 * <p>Source: Linux commits 512ac999d275 (4.18) and de53fd7aedb1 (5.4) and the vendors' notes of the
 * releases that carry them: stable 4.14.154, 4.19.84, 5.3.9; Ubuntu 4.15.0-67, 5.3.0-24; Red Hat
 * 3.10.0-1062.8.1.el7, 4.18.0-147.2.1.el8; Amazon Linux 2 4.14.154-128.181.
 */
public final class KernelRulebook {
    private KernelRulebook() {}

    /** One verdict for each rule, in the order of {@link KernelRule}. */
    public static List<RuleVerdict> judge(String kernelRelease) {
        return KernelRelease.parse(kernelRelease)
                .map(
                        release ->
                                Arrays.stream(KernelRule.values())
                                        .map(rule -> judge(rule, release))
                                        .toList())
                .orElseGet(
                        () ->
                                Arrays.stream(KernelRule.values())
                                        .map(rule -> unreadable(rule, kernelRelease))
                                        .toList());
    }

    private static RuleVerdict unreadable(KernelRule rule, String kernelRelease) {
        return RuleVerdict.unknown(
                rule, "\"" + kernelRelease + "\" does not begin with a kernel version");
    }

    /** One rule on one release. */
    public static RuleVerdict judge(KernelRule rule, KernelRelease release) {
        return switch (rule) {
            case EXPIRY_SKEW -> expirySkew(release);
            case SLICE_EXPIRY -> SliceExpiry.judge(release);
            case PERIOD_SCALING -> periodScaling(release);
            case UNTHROTTLE_LOCKUP ->
                    release.atLeast(6, 3)
                            ? RuleVerdict.doesNotApply(
                                    rule, "fixed in 6.3 (8ad075c2eb1f; version not verified)")
                            : RuleVerdict.unknown(
                                    rule, "before 6.3; matters with thousands of limited groups");
            case PER_TASK_THROTTLE ->
                    release.atLeast(6, 18)
                            ? RuleVerdict.applies(rule, "6.18 and later throttle task by task")
                            : RuleVerdict.doesNotApply(rule, "before 6.18");
        };
    }

    private static RuleVerdict expirySkew(KernelRelease release) {
        if (release.atLeast(4, 18)) {
            return RuleVerdict.doesNotApply(EXPIRY_SKEW, "512ac999 is in 4.18");
        }
        if (!release.atLeast(3, 2) && release.line() != KernelLine.RHEL) {
            return RuleVerdict.doesNotApply(EXPIRY_SKEW, "no bandwidth control before 3.2");
        }
        if (SliceExpiry.judge(release).standing() == RuleVerdict.Standing.DOES_NOT_APPLY
                && !release.line().statesStable()) {
            return RuleVerdict.doesNotApply(
                    EXPIRY_SKEW, "this build has the later fix of slice expiry");
        }
        if (!release.line().statesStable() || release.line() == KernelLine.UNRECOGNISED) {
            return RuleVerdict.unknown(
                    EXPIRY_SKEW, "whether 512ac999 was backported to this build is not recorded");
        }
        if (release.is(4, 14)) {
            return release.patch() >= 95
                    ? RuleVerdict.doesNotApply(EXPIRY_SKEW, "512ac999 is in 4.14.95")
                    : RuleVerdict.applies(EXPIRY_SKEW, "512ac999 came with 4.14.95");
        }
        return release.atLeast(4, 15)
                ? RuleVerdict.applies(EXPIRY_SKEW, "512ac999 came with 4.18")
                : RuleVerdict.unknown(
                        EXPIRY_SKEW, "whether this stable line has 512ac999 is not recorded");
    }

    private static RuleVerdict periodScaling(KernelRelease release) {
        if (release.atLeast(5, 4)) {
            return RuleVerdict.doesNotApply(PERIOD_SCALING, "scaled without loss since 5.4");
        }
        if (release.line() != KernelLine.UNRECOGNISED && release.line().statesStable()) {
            if (release.is(4, 14) && release.patch() >= 159) {
                return RuleVerdict.doesNotApply(PERIOD_SCALING, "fixed in 4.14.159");
            }
            if (release.is(3, 16) && release.patch() >= 72) {
                return RuleVerdict.applies(PERIOD_SCALING, "in 3.16.72 and later");
            }
        }
        return RuleVerdict.unknown(
                PERIOD_SCALING, "neither fault nor fix is recorded for this line before 5.4");
    }
}
