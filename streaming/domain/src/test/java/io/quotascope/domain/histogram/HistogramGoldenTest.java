package io.quotascope.domain.histogram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.quotascope.domain.golden.GoldenVectors;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class HistogramGoldenTest {
    @TestFactory
    Stream<DynamicTest> layouts() {
        return GoldenVectors.tests(
                "histogram_layouts.json",
                (input, expect) -> {
                    int bucket = bucket(input);
                    assertThat(bucket).isEqualTo(expect.required("bucket").intValue());
                    BucketLayout layout = GoldenVectors.layout(input);
                    assertThat(layout.value(bucket))
                            .isEqualTo(expect.required("value").doubleValue());
                    assertThat(layout.lowerBound(bucket))
                            .isEqualTo(expect.required("lower_bound").doubleValue());
                    assertThat(bucket).isLessThan(layout.bucketCount());
                });
    }

    private static int bucket(JsonNode input) {
        return switch (input.required("layout").asText()) {
            case "usage" ->
                    UsageLayout.bucket(
                            input.required("usage").longValue(),
                            input.required("elapsed").longValue());
            case "threads" -> ThreadsLayout.bucket(input.required("n").longValue());
            case "runnable" -> RunnableLayout.bucket(input.required("n").longValue());
            default ->
                    RatioLayout.bucket(
                            input.required("throttled").longValue(),
                            input.required("periods").longValue());
        };
    }

    @TestFactory
    Stream<DynamicTest> packings() {
        return GoldenVectors.tests(
                "histogram_packings.json",
                (input, expect) -> {
                    BucketLayout layout = GoldenVectors.layout(input);
                    if (expect.has("reject")) {
                        mustReject(
                                GoldenVectors.packed(input.required("packed")),
                                layout,
                                expect.get("reject").asText());
                    } else if (expect.has("packed")) {
                        BucketCounts counts = GoldenVectors.counts(input.required("counts"));
                        PackedBytes packed = GoldenVectors.packed(expect.get("packed"));
                        assertThat(counts.pack()).isEqualTo(packed);
                        assertThat(BucketCounts.unpack(packed, layout)).isEqualTo(counts);
                        assertThat(BucketCounts.check(packed, layout))
                                .isEqualTo(
                                        new PackingCheck.Holds(
                                                expect.required("total").longValue()));
                    } else {
                        assertThat(
                                        BucketCounts.unpack(
                                                GoldenVectors.packed(input.required("packed")),
                                                layout))
                                .isEqualTo(GoldenVectors.counts(expect.required("counts")));
                    }
                });
    }

    private static void mustReject(PackedBytes packed, BucketLayout layout, String reason) {
        PackingFault fault = PackingFault.valueOf(reason.toUpperCase(Locale.ROOT));
        assertThat(BucketCounts.check(packed, layout)).isEqualTo(new PackingCheck.Broken(fault));
        assertThatThrownBy(() -> BucketCounts.unpack(packed, layout))
                .isInstanceOfSatisfying(
                        MalformedPackingException.class,
                        malformed -> assertThat(malformed.fault()).isEqualTo(fault));
    }

    @TestFactory
    Stream<DynamicTest> quantiles() {
        return GoldenVectors.tests(
                "histogram_quantiles.json",
                (input, expect) ->
                        assertThat(
                                        GoldenVectors.counts(input.required("counts"))
                                                .quantile(
                                                        input.required("per_mille").intValue(),
                                                        GoldenVectors.layout(input)))
                                .isEqualTo(GoldenVectors.optionalDouble(expect.required("value"))));
    }

    @TestFactory
    Stream<DynamicTest> secondOrder() {
        return GoldenVectors.tests(
                "second_order.json",
                (input, expect) -> {
                    if (expect.has("reject")) {
                        PackedBytes packed = GoldenVectors.packed(input.required("packed").get(0));
                        PackingFault fault =
                                PackingFault.valueOf(
                                        expect.get("reject").asText().toUpperCase(Locale.ROOT));
                        assertThat(SecondOrderSums.check(packed))
                                .isEqualTo(new PackingCheck.Broken(fault));
                        return;
                    }
                    SecondOrderSums sums = new SecondOrderSums();
                    for (JsonNode record : input.required("packed")) {
                        assertThat(SecondOrderSums.check(GoldenVectors.packed(record)))
                                .isInstanceOf(PackingCheck.Holds.class);
                        sums.addPacked(GoldenVectors.packed(record));
                    }
                    assertThat(sums.pack())
                            .isEqualTo(GoldenVectors.packed(expect.required("packed")));
                    assertThat(sums.samples()).isEqualTo(expect.required("samples").asText());
                    assertThat(sums.sum()).isEqualTo(expect.required("sum").asText());
                    assertThat(sums.sumOfSquares()).isEqualTo(expect.required("squares").asText());
                    for (int lag = 0; lag < SecondOrderSums.LAGS; lag++) {
                        assertThat(sums.pairs(lag))
                                .isEqualTo(expect.required("pairs").get(lag).asText());
                        assertThat(sums.sumOfProducts(lag))
                                .isEqualTo(expect.required("products").get(lag).asText());
                    }
                });
    }
}
