package io.quotascope.domain.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.golden.GoldenVectors;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

class KernelRulebookTest {
    @TestFactory
    Stream<DynamicTest> releasesOfEveryVendorAreJudgedByTheirOwnLine() {
        return GoldenVectors.tests(
                "kernel_releases.json",
                (input, expect) -> {
                    String text = input.required("kernel_release").asText();
                    assertThat(KernelRelease.parse(text).map(release -> release.line().name()))
                            .hasValue(expect.required("line").asText());
                    Map<String, String> judged = new HashMap<>();
                    for (RuleVerdict verdict : KernelRulebook.judge(text)) {
                        judged.put(verdict.rule().label(), verdict.standing().name());
                    }
                    expect.required("rules")
                            .fields()
                            .forEachRemaining(
                                    rule ->
                                            assertThat(judged.get(rule.getKey()))
                                                    .as(rule.getKey())
                                                    .isEqualTo(rule.getValue().asText()));
                });
    }

    @Property(tries = 500)
    void anyTextGetsAVerdictForEveryRule(@ForAll @StringLength(max = 40) String text) {
        List<RuleVerdict> verdicts = KernelRulebook.judge(text);
        assertThat(verdicts).hasSize(KernelRule.values().length);
        assertThat(verdicts).allSatisfy(verdict -> assertThat(verdict.reason()).isNotBlank());
    }

    @Example
    void whatIsNoVersionIsUnknownAndSaysSo() {
        assertThat(KernelRulebook.judge("linux"))
                .allSatisfy(
                        verdict -> {
                            assertThat(verdict.standing()).isEqualTo(RuleVerdict.Standing.UNKNOWN);
                            assertThat(verdict.reason()).contains("\"linux\"");
                        });
    }

    /** A fix never goes away again within one stable line. */
    @Property(tries = 300)
    void laterStableReleasesOfALineNeverLoseTheFix(
            @ForAll @IntRange(min = 0, max = 300) int earlier,
            @ForAll @IntRange(min = 0, max = 300) int distance,
            @ForAll @IntRange(min = 0, max = 2) int choice) {
        String line = List.of("4.19.", "5.3.", "4.18.0-").get(choice);
        String vendor = choice == 2 ? ".1.1.el8" : "";
        boolean before = fixed(line + earlier + vendor);
        boolean after = fixed(line + (earlier + distance) + vendor);
        assertThat(before && !after).isFalse();
    }

    private static boolean fixed(String release) {
        return KernelRulebook.judge(
                                KernelRule.SLICE_EXPIRY, KernelRelease.parse(release).orElseThrow())
                        .standing()
                == RuleVerdict.Standing.DOES_NOT_APPLY;
    }
}
