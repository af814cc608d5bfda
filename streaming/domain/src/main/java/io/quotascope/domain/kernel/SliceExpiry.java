package io.quotascope.domain.kernel;

import static io.quotascope.domain.kernel.KernelRule.SLICE_EXPIRY;
import static io.quotascope.domain.kernel.RuleVerdict.applies;
import static io.quotascope.domain.kernel.RuleVerdict.doesNotApply;
import static io.quotascope.domain.kernel.RuleVerdict.unknown;

/**
 * Which releases lose unused bandwidth slices at each period's end: those with commit 512ac999 and
 * without de53fd7aedb1.
 */
final class SliceExpiry {
    private SliceExpiry() {}

    static RuleVerdict judge(KernelRelease release) {
        if (release.atLeast(5, 4)) {
            return doesNotApply(SLICE_EXPIRY, "slices do not expire since 5.4");
        }
        return switch (release.line()) {
            case RHEL -> rhel(release);
            case UBUNTU -> ubuntu(release);
            case UBUNTU_CLOUD ->
                    unknown(
                            SLICE_EXPIRY,
                            "cloud kernels before 5.4 have builds of their own, not recorded here");
            case DEBIAN ->
                    unknown(
                            SLICE_EXPIRY,
                            "the release names no stable version; Debian's package version would");
            case UNRECOGNISED ->
                    unknown(SLICE_EXPIRY, "the builder is not known, so neither are its patches");
            case MAINLINE, AMAZON, COREOS, SUSE -> stable(release);
        };
    }

    private static RuleVerdict stable(KernelRelease release) {
        if (!release.atLeast(3, 2)) {
            return doesNotApply(SLICE_EXPIRY, "no bandwidth control before 3.2");
        }
        if (release.is(5, 3)) {
            return since(release, 9, "5.3.9");
        }
        if (release.is(4, 19)) {
            return since(release, 84, "4.19.84");
        }
        if (release.atLeast(4, 18)) {
            return applies(SLICE_EXPIRY, "4.18 to 5.3, and this stable line ended before the fix");
        }
        if (release.is(4, 14)) {
            return release.patch() < 95
                    ? doesNotApply(SLICE_EXPIRY, "512ac999 came with 4.14.95")
                    : since(release, 154, "4.14.154");
        }
        return unknown(
                SLICE_EXPIRY, "whether 512ac999 was backported to this line is not recorded");
    }

    private static RuleVerdict since(KernelRelease release, int patch, String fixed) {
        return release.patch() >= patch
                ? doesNotApply(SLICE_EXPIRY, "fixed in " + fixed)
                : applies(SLICE_EXPIRY, "fixed only in " + fixed);
    }

    private static RuleVerdict rhel(KernelRelease release) {
        if (release.is(3, 10)) {
            return release.buildAtLeast(1062, 8, 1)
                    ? doesNotApply(SLICE_EXPIRY, "fixed in 3.10.0-1062.8.1.el7")
                    : unknown(
                            SLICE_EXPIRY,
                            "before 3.10.0-1062.8.1.el7; from which build 512ac999 is in is not recorded");
        }
        if (release.is(4, 18)) {
            return release.buildAtLeast(147, 2, 1)
                    ? doesNotApply(SLICE_EXPIRY, "fixed in 4.18.0-147.2.1.el8")
                    : applies(SLICE_EXPIRY, "fixed only in 4.18.0-147.2.1.el8");
        }
        return unknown(SLICE_EXPIRY, "no build of this line is recorded");
    }

    private static RuleVerdict ubuntu(KernelRelease release) {
        if (release.is(5, 3)) {
            return release.buildAtLeast(24)
                    ? doesNotApply(SLICE_EXPIRY, "fixed in 5.3.0-24")
                    : applies(SLICE_EXPIRY, "fixed only in 5.3.0-24");
        }
        if (release.is(4, 15)) {
            return release.buildAtLeast(67)
                    ? doesNotApply(SLICE_EXPIRY, "fixed in 4.15.0-67")
                    : unknown(
                            SLICE_EXPIRY,
                            "before 4.15.0-67; from which build 512ac999 is in is not recorded");
        }
        return unknown(SLICE_EXPIRY, "no fixed build of this line is recorded");
    }
}
