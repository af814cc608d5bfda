package io.quotascope.domain.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Sets of cores against the plainest model there is, one bit a millicore. */
class CoreSpansTest {
    private static CoreSpans spans(List<Integer> ends) {
        List<CoreSpans> sets = new ArrayList<>();
        for (int i = 0; i + 1 < ends.size(); i += 2) {
            sets.add(CoreSpans.of(ends.get(i), ends.get(i + 1)));
        }
        return CoreSpans.union(sets);
    }

    private static BitSet bits(CoreSpans set) {
        BitSet bits = new BitSet();
        set.spans().forEach(s -> bits.set((int) s.fromMillicores(), (int) s.untilMillicores()));
        return bits;
    }

    @Property(tries = 500)
    void unionAndDifferenceAreThoseOfSets(
            @ForAll @Size(max = 12) List<@IntRange(max = 60) Integer> one,
            @ForAll @Size(max = 12) List<@IntRange(max = 60) Integer> two) {
        CoreSpans a = spans(one);
        CoreSpans b = spans(two);
        BitSet expected = bits(a);
        expected.andNot(bits(b));
        assertThat(bits(a.minus(b))).isEqualTo(expected);
        BitSet all = bits(a);
        all.or(bits(b));
        assertThat(bits(CoreSpans.union(List.of(a, b)))).isEqualTo(all);
        assertThat(CoreSpans.union(List.of(b, a))).isEqualTo(CoreSpans.union(List.of(a, b)));
        assertThat(a.millicores()).isEqualTo(bits(a).cardinality());
    }

    @Example
    void anEmptyOrNegativeSpanIsNoSpan() {
        assertThat(CoreSpans.of(5, 5)).isEqualTo(CoreSpans.NONE);
        assertThat(CoreSpans.of(-3, 2)).isEqualTo(CoreSpans.of(0, 2));
        assertThatThrownBy(() -> new CoreSpans.Span(5, 5)).hasMessageContaining("no span");
    }
}
