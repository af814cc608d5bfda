package io.quotascope.domain.kernel;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A kernel release as uname states it, taken apart by its vendor's rules.
 *
 * @param text the release as stated
 * @param line who built it
 * @param major first number of the upstream version
 * @param minor second number
 * @param patch third number; the stable release only where {@link KernelLine#statesStable}
 * @param build the vendor's own numbers, outermost first; empty where there are none
 * @param generation the distribution's generation: 7 of el7, 2 of amzn2; 0 where there is none
 */
public record KernelRelease(
        String text,
        KernelLine line,
        int major,
        int minor,
        int patch,
        List<Integer> build,
        int generation) {

    private static final String UPSTREAM = "^(\\d{1,5})\\.(\\d{1,5})(?:\\.(\\d{1,5}))?";
    private static final Pattern VERSION = Pattern.compile(UPSTREAM + "(.*)$");
    private static final Pattern RHEL =
            Pattern.compile("^-([\\d.]+?)\\.el(\\d{1,2})(?:_\\d+)*(?:\\.[\\w+]+)*$");
    private static final Pattern AMAZON =
            Pattern.compile("^-([\\d.]+?)\\.amzn(\\d{1,4})(?:\\.\\w+)*$");
    private static final Pattern UBUNTU =
            Pattern.compile("^-(\\d{1,5})-(?:generic|lowlatency|server|virtual)(?:-\\w+)?$");
    private static final Pattern UBUNTU_CLOUD =
            Pattern.compile(
                    "^-(\\d{1,5})-(?:aws|azure|gcp|gke|gkeop|ibm|kvm|oem|oracle)(?:-[\\w.]+)?$");
    private static final Pattern DEBIAN =
            Pattern.compile(
                    "^-(?:0\\.(?:bpo|deb\\d+)\\.)?(\\d{1,5})-(?:\\w+-)*(?:amd64|arm64|686|686-pae|armmp|ppc64el|s390x)$");
    private static final Pattern COREOS = Pattern.compile("^-(?:coreos|flatcar)(?:-r\\d+)?$");
    private static final Pattern SUSE =
            Pattern.compile("^-([\\d.]+)-(?:default|azure|preempt|rt)$");

    /**
     * Nothing, a release candidate, or the plus sign of a build from a changed tree's
     * configuration.
     */
    private static final Pattern PLAIN = Pattern.compile("^(?:-rc\\d+)?\\+?$");

    /** A release that was taken apart. */
    public KernelRelease {
        build = List.copyOf(build);
    }

    /** Takes a release apart. Absent when it does not begin with two numbers. */
    public static Optional<KernelRelease> parse(String text) {
        Matcher version = VERSION.matcher(text.strip());
        if (!version.matches()) {
            return Optional.empty();
        }
        String patch = version.group(3);
        int[] upstream = {
            Integer.parseInt(version.group(1)),
            Integer.parseInt(version.group(2)),
            patch == null ? 0 : Integer.parseInt(patch)
        };
        return Optional.of(ofSuffix(text.strip(), upstream, version.group(4)));
    }

    private static KernelRelease ofSuffix(String text, int[] upstream, String suffix) {
        Matcher rhel = RHEL.matcher(suffix);
        if (rhel.matches()) {
            return of(text, KernelLine.RHEL, upstream, rhel.group(1), rhel.group(2));
        }
        Matcher amazon = AMAZON.matcher(suffix);
        if (amazon.matches()) {
            return of(text, KernelLine.AMAZON, upstream, amazon.group(1), amazon.group(2));
        }
        // Distributions whose third number is always 0 count interfaces, not stable releases.
        if (upstream[2] == 0) {
            Matcher ubuntu = UBUNTU.matcher(suffix);
            if (ubuntu.matches()) {
                return of(text, KernelLine.UBUNTU, upstream, ubuntu.group(1), "0");
            }
            Matcher cloud = UBUNTU_CLOUD.matcher(suffix);
            if (cloud.matches()) {
                return of(text, KernelLine.UBUNTU_CLOUD, upstream, cloud.group(1), "0");
            }
            Matcher debian = DEBIAN.matcher(suffix);
            if (debian.matches()) {
                return of(text, KernelLine.DEBIAN, upstream, debian.group(1), "0");
            }
        }
        if (COREOS.matcher(suffix).matches()) {
            return of(text, KernelLine.COREOS, upstream, "", "0");
        }
        Matcher suse = SUSE.matcher(suffix);
        if (suse.matches()) {
            return of(text, KernelLine.SUSE, upstream, suse.group(1), "0");
        }
        KernelLine line =
                PLAIN.matcher(suffix).matches() ? KernelLine.MAINLINE : KernelLine.UNRECOGNISED;
        return of(text, line, upstream, "", "0");
    }

    private static KernelRelease of(
            String text, KernelLine line, int[] upstream, String build, String generation) {
        return new KernelRelease(
                text,
                line,
                upstream[0],
                upstream[1],
                upstream[2],
                numbers(build),
                Integer.parseInt(generation));
    }

    private static List<Integer> numbers(String dotted) {
        return Arrays.stream(dotted.split("\\."))
                .filter(number -> !number.isEmpty() && number.length() <= 9)
                .map(Integer::parseInt)
                .toList();
    }

    /** Whether the upstream version is at least major.minor. */
    public boolean atLeast(int otherMajor, int otherMinor) {
        return major != otherMajor ? major > otherMajor : minor >= otherMinor;
    }

    /** Whether the upstream version is major.minor. */
    public boolean is(int otherMajor, int otherMinor) {
        return major == otherMajor && minor == otherMinor;
    }

    /**
     * Whether the vendor's numbers are at least these, compared one by one; a number that is not
     * there counts as 0.
     */
    public boolean buildAtLeast(int... other) {
        for (int place = 0; place < Math.max(build.size(), other.length); place++) {
            int mine = place < build.size() ? build.get(place) : 0;
            int theirs = place < other.length ? other[place] : 0;
            if (mine != theirs) {
                return mine > theirs;
            }
        }
        return true;
    }
}
