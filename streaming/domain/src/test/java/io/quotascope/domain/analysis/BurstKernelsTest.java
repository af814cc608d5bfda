package io.quotascope.domain.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.advice.Sentence;
import io.quotascope.domain.window.ServiceSums;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class BurstKernelsTest {
    private static final String OLD = "4.14.0-115.el7.x86_64";
    private static final String RECENT = "6.1.0-18-amd64";

    @Test
    void whereNoKernelHasItThatIsSaid() {
        BurstKernels kernels = BurstKernels.of(Map.of(OLD, 4L, "5.13.0", 9L));
        assertThat(kernels.none()).isTrue();
        Sentence said = kernels.words().orElseThrow();
        assertThat(said.limitsTrust()).isTrue();
        assertThat(said.words()).startsWith("no burst is offered").endsWith("as 5.13.0");
    }

    @Test
    void whereSomeHaveItTheShareIsSaid() {
        BurstKernels kernels = BurstKernels.of(Map.of(OLD, 1L, RECENT, 3L));
        assertThat(kernels.none()).isFalse();
        assertThat(kernels.words().orElseThrow().words())
                .isEqualTo(
                        "burst needs kernel 5.14: 25 of 100 of its hosts run older ones, as "
                                + OLD);
    }

    @Test
    void whatEveryKernelHasOrNobodyKnowsIsNotSpokenOf() {
        for (Map<String, Long> known :
                List.of(
                        Map.of(RECENT, 3L, "5.14.0", 1L),
                        Map.<String, Long>of(),
                        Map.of("custom", 5L))) {
            assertThat(BurstKernels.of(known).none()).isFalse();
            assertThat(BurstKernels.of(known).words()).isEmpty();
        }
    }

    @Test
    void aBurstThatNoKernelHasIsNotAdvised() {
        TreeMap<Long, ServiceSums> old = new TreeMap<>();
        AnalysisTest.MINUTES.forEach(
                (start, sums) -> old.put(start, on("4.14.0-115.el7.x86_64", sums)));
        List<SavingsEstimate> rows =
                new SavingsAnalysis(AnalysisTest.SAVINGS, RiskSettings.DEFAULT)
                        .of(
                                AnalysisTest.evidence(old, AnalysisTest.catalog()),
                                AnalysisTest.catalog(),
                                AnalysisTest.peaks(),
                                Optional.empty(),
                                AnalysisTrigger.CADENCE);
        assertThat(rows)
                .hasSize(4)
                .noneMatch(row -> row.choice().name().contains("burst"))
                .allMatch(row -> row.trustReasons().toString().contains("no burst"));
    }

    private static ServiceSums on(String release, ServiceSums sums) {
        return new ServiceSums(
                sums.key(),
                sums.windowStartUs(),
                sums.bandwidth(),
                sums.reporting(),
                sums.sampling(),
                sums.usage(),
                sums.throttling(),
                sums.threads(),
                sums.distributions(),
                sums.secondOrder(),
                sums.betweenShards(),
                sums.worstShards(),
                Map.of(release, 6L),
                sums.exemplars());
    }
}
