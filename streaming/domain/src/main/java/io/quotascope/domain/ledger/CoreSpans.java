package io.quotascope.domain.ledger;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * A set of cores of a reservation, as spans counted from its bottom in 1/1000 core. Immutable; the
 * spans are disjoint, ascending and never touch, so equal sets are equal objects.
 *
 * @param spans the spans
 */
public record CoreSpans(List<Span> spans) {
    /** No cores. */
    public static final CoreSpans NONE = new CoreSpans(List.of());

    /**
     * Some cores.
     *
     * @param fromMillicores begin, inclusive
     * @param untilMillicores end, exclusive
     */
    public record Span(long fromMillicores, long untilMillicores) {
        /**
         * A span.
         *
         * @throws IllegalArgumentException when it is empty or begins below 0
         */
        public Span {
            if (fromMillicores < 0 || untilMillicores <= fromMillicores) {
                throw new IllegalArgumentException(
                        "no span of cores: " + fromMillicores + " to " + untilMillicores);
            }
        }
    }

    /** A set in its only form, whatever the order and overlap of what is given. */
    public CoreSpans {
        List<Span> ordered = new ArrayList<>(spans);
        ordered.sort(Comparator.comparingLong(Span::fromMillicores));
        List<Span> merged = new ArrayList<>();
        for (Span span : ordered) {
            Span last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last != null && span.fromMillicores() <= last.untilMillicores()) {
                long until = Math.max(last.untilMillicores(), span.untilMillicores());
                merged.set(merged.size() - 1, new Span(last.fromMillicores(), until));
            } else {
                merged.add(span);
            }
        }
        spans = List.copyOf(merged);
    }

    /** One span; no cores when it would be empty. */
    public static CoreSpans of(long fromMillicores, long untilMillicores) {
        long from = Math.max(0, fromMillicores);
        return untilMillicores <= from
                ? NONE
                : new CoreSpans(List.of(new Span(from, untilMillicores)));
    }

    /** All cores of several sets. */
    public static CoreSpans union(Collection<CoreSpans> sets) {
        return new CoreSpans(sets.stream().flatMap(set -> set.spans().stream()).toList());
    }

    /** The cores of this set that are not in the other. */
    public CoreSpans minus(CoreSpans other) {
        List<Span> left = new ArrayList<>();
        for (Span span : spans) {
            long from = span.fromMillicores();
            for (Span taken : other.spans) {
                if (taken.untilMillicores() <= from
                        || taken.fromMillicores() >= span.untilMillicores()) {
                    continue;
                }
                if (taken.fromMillicores() > from) {
                    left.add(new Span(from, taken.fromMillicores()));
                }
                from = taken.untilMillicores();
            }
            if (from < span.untilMillicores()) {
                left.add(new Span(from, span.untilMillicores()));
            }
        }
        return new CoreSpans(left);
    }

    /** Sum, 1/1000 core. */
    public long millicores() {
        return spans.stream()
                .mapToLong(span -> span.untilMillicores() - span.fromMillicores())
                .sum();
    }

    /** Sum, cores. */
    public double cores() {
        return millicores() / 1000.0;
    }
}
