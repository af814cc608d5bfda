package io.quotascope.domain.analysis;

import io.quotascope.domain.advice.Sentence;
import io.quotascope.domain.kernel.KernelRelease;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Whether the kernels under a service let a quota burst: Linux does since 5.14. A kernel that its
 * vendor gave burst earlier is not known as such.
 *
 * @param hostWindows host windows whose kernel is known
 * @param without those of kernels before 5.14
 * @param example the release that most of these run; absent when there are none
 */
record BurstKernels(long hostWindows, long without, Optional<String> example) {
    private static final int MAJOR = 5;
    private static final int MINOR = 14;

    /** Kernels by their host windows; one whose name says no version does not count. */
    static BurstKernels of(Map<String, Long> hostWindowsByRelease) {
        long known = 0;
        long without = 0;
        Map.Entry<String, Long> most = null;
        for (Map.Entry<String, Long> each : hostWindowsByRelease.entrySet()) {
            Optional<KernelRelease> release = KernelRelease.parse(each.getKey());
            if (release.isPresent()) {
                known += each.getValue();
            }
            if (release.filter(parsed -> !parsed.atLeast(MAJOR, MINOR)).isPresent()) {
                without += each.getValue();
                most = most == null || BY_WINDOWS.compare(each, most) > 0 ? each : most;
            }
        }
        return new BurstKernels(known, without, Optional.ofNullable(most).map(Map.Entry::getKey));
    }

    private static final Comparator<Map.Entry<String, Long>> BY_WINDOWS =
            Map.Entry.<String, Long>comparingByValue().thenComparing(Map.Entry.comparingByKey());

    /** No host that the service ran on has it: a burst cannot be recommended. */
    boolean none() {
        return hostWindows > 0 && without == hostWindows;
    }

    /** What a reader must know of it; absent where every kernel has it, or none is known. */
    Optional<Sentence> words() {
        if (without == 0) {
            return Optional.empty();
        }
        return Optional.of(
                Sentence.limit(
                        none()
                                ? "no burst is offered: it needs kernel 5.14, and its hosts run older ones, as "
                                        + example.orElseThrow()
                                : String.format(
                                        Locale.ROOT,
                                        "burst needs kernel 5.14: %.0f of 100 of its hosts run older ones, as %s",
                                        100.0 * without / hostWindows,
                                        example.orElseThrow())));
    }
}
