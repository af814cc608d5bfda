package io.quotascope.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.golden.GoldenVectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class WindowGoldenTest {
    @TestFactory
    Stream<DynamicTest> parts() {
        return GoldenVectors.tests(
                "window_parts.json",
                (input, expect) -> {
                    long startUs = input.required("window_start_us").longValue();
                    long appendTimeMs = input.required("append_time_ms").longValue();
                    if (expect.has("refusal")) {
                        assertThat(
                                        WindowPart.refusalOf(startUs, appendTimeMs)
                                                .map(Refusal::code)
                                                .orElse(null))
                                .isEqualTo(expect.get("refusal").textValue());
                        return;
                    }
                    WindowPart part = WindowPart.of(startUs, appendTimeMs);
                    assertThat(part)
                            .isEqualTo(
                                    new WindowPart(
                                            expect.required("minute_start_us").longValue(),
                                            expect.required("part").longValue()));
                    assertThat(part.closesAtMs())
                            .isEqualTo(expect.required("closes_at_ms").longValue());
                    assertThat(WindowPart.slotOf(startUs))
                            .isEqualTo(expect.required("slot").intValue());
                });
    }

    @TestFactory
    Stream<DynamicTest> quotaClasses() {
        return GoldenVectors.tests(
                "quota_classes.json",
                (input, expect) -> {
                    Bandwidth bandwidth =
                            new Bandwidth(
                                    GoldenVectors.optionalLong(input.required("quota_us")),
                                    GoldenVectors.optionalLong(input.required("period_us")));
                    assertThat(bandwidth.quotaClass())
                            .isEqualTo(expect.required("quota_class").asText());
                    assertThat(bandwidth.quotaCores())
                            .isEqualTo(
                                    GoldenVectors.optionalDouble(expect.required("quota_cores")));
                });
    }

    @TestFactory
    Stream<DynamicTest> exemplarHashes() {
        return GoldenVectors.tests(
                "exemplar_hashes.json",
                (input, expect) ->
                        assertThat(
                                        Exemplars.hash(
                                                input.required("shard_id").longValue(),
                                                input.required("window_start_us").longValue()))
                                .isEqualTo(expect.required("hash").longValue()));
    }
}
