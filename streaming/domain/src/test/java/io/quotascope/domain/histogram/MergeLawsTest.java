package io.quotascope.domain.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class MergeLawsTest {
    @Provide
    Arbitrary<BucketCounts> counts() {
        Arbitrary<Integer> buckets = Arbitraries.integers().between(0, 226);
        Arbitrary<Long> members = Arbitraries.longs().between(1, 1L << 40);
        return Arbitraries.maps(buckets, members).ofMaxSize(40).map(MergeLawsTest::of);
    }

    private static BucketCounts of(Map<Integer, Long> members) {
        BucketTally tally = new BucketTally();
        members.forEach(tally::add);
        return tally.toCounts();
    }

    @Property
    void mergingCommutes(@ForAll("counts") BucketCounts a, @ForAll("counts") BucketCounts b) {
        assertThat(a.plus(b)).isEqualTo(b.plus(a));
        assertThat(a.plus(b).total()).isEqualTo(a.total() + b.total());
    }

    @Property
    void mergingAssociates(
            @ForAll("counts") BucketCounts a,
            @ForAll("counts") BucketCounts b,
            @ForAll("counts") BucketCounts c) {
        assertThat(a.plus(b).plus(c)).isEqualTo(a.plus(b.plus(c)));
    }

    @Property
    void nothingIsNeutral(@ForAll("counts") BucketCounts a) {
        assertThat(a.plus(BucketCounts.EMPTY)).isEqualTo(a).hasSameHashCodeAs(a);
    }

    @Property
    void whatIsPackedUnpacks(@ForAll("counts") BucketCounts a) {
        assertThat(BucketCounts.unpack(a.pack(), UsageLayout.V1)).isEqualTo(a);
        assertThat(BucketCounts.check(a.pack(), UsageLayout.V1))
                .isEqualTo(new PackingCheck.Holds(a.total()));
    }

    @Property
    void addingPackedBytesIsMerging(
            @ForAll("counts") BucketCounts a, @ForAll("counts") BucketCounts b) {
        BucketTally tally = new BucketTally();
        tally.addPacked(a.pack(), UsageLayout.V1);
        tally.addPacked(b.pack(), UsageLayout.V1);
        assertThat(tally.toCounts()).isEqualTo(a.plus(b));
    }

    @Property
    void anyBytesAreEitherReadOrRefusedWithAReason(@ForAll @Size(max = 24) byte[] bytes) {
        PackedBytes packed = PackedBytes.of(bytes);
        if (BucketCounts.check(packed, UsageLayout.V1) instanceof PackingCheck.Holds holds) {
            assertThat(BucketCounts.unpack(packed, UsageLayout.V1).total())
                    .isEqualTo(holds.members());
        } else {
            assertThatThrownBy(() -> BucketCounts.unpack(packed, UsageLayout.V1))
                    .isInstanceOf(MalformedPackingException.class);
        }
    }

    @Property
    void quantilesRiseWithTheirRank(
            @ForAll("counts") BucketCounts a,
            @ForAll @IntRange(max = 1000) int perMille,
            @ForAll @IntRange(max = 1000) int other) {
        if (!a.isEmpty()) {
            double lower = a.quantile(Math.min(perMille, other), UsageLayout.V1).orElseThrow();
            assertThat(a.quantile(Math.max(perMille, other), UsageLayout.V1).orElseThrow())
                    .isGreaterThanOrEqualTo(lower);
        }
    }

    @Property
    void sumsEqualBigIntegers(
            @ForAll @Size(max = 30) List<@LongRange(min = 0, max = 40_960_000_000L) Long> usages) {
        BetweenShards sums = new BetweenShards();
        BigInteger squares = BigInteger.ZERO;
        BigInteger sum = BigInteger.ZERO;
        for (long usageUs : usages) {
            sums.addRecord(usageUs);
            sum = sum.add(BigInteger.valueOf(usageUs));
            squares = squares.add(BigInteger.valueOf(usageUs).pow(2));
        }
        assertThat(sums.records()).isEqualTo(BigInteger.valueOf(usages.size()));
        assertThat(sums.usageUs()).isEqualTo(sum);
        assertThat(sums.usageUsSquared()).isEqualTo(squares);
        assertThat(BetweenShards.unpack(sums.pack())).isEqualTo(sums);
    }

    @Property
    void wideNumbersSurvivePacking(
            @ForAll @LongRange(min = 0) long root, @ForAll @IntRange(max = 3) int repeats) {
        WideSums sums = new WideSums(2);
        for (int repeat = 0; repeat <= repeats; repeat++) {
            sums.addSquare(1, root);
        }
        WideSums read = new WideSums(2);
        read.addPacked(sums.pack(), 128);
        assertThat(read).isEqualTo(sums).hasSameHashCodeAs(sums);
        assertThat(read.number(1))
                .isEqualTo(
                        BigInteger.valueOf(root).pow(2).multiply(BigInteger.valueOf(repeats + 1)));
    }

    @Example
    void aSumOf129BitsIsRefused() {
        byte[] packed = new byte[20];
        java.util.Arrays.fill(packed, 1, 19, (byte) 0x80);
        packed[19] = 0x04; // group 18 begins at bit 126: 4 is bit 128
        assertThatThrownBy(() -> new WideSums(2).addPacked(PackedBytes.of(packed), 128))
                .isInstanceOf(MalformedPackingException.class)
                .hasMessageContaining("VARINT_TOO_LARGE");
    }

    @Example
    void aNegativeCountIsRefused() {
        assertThatThrownBy(() -> new BucketTally().add(1, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> PackedVarints.write(new byte[10], 0, -1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Example
    void laterAdditionsDoNotChangeCountsAlreadyTaken() {
        BucketTally tally = new BucketTally();
        tally.add(3, 1);
        BucketCounts taken = tally.toCounts();
        tally.add(3, 1);
        assertThat(taken.count(3)).isEqualTo(1);
        assertThat(taken).hasToString("{3: 1}");
    }
}
