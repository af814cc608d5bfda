package io.quotascope.domain.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.rank.StrandedHorizon;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThrottlingSums;
import io.quotascope.domain.window.UsageSums;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/**
 * A service that is throttled because its kernel loses quota: no setting of the service mends it.
 */
class KernelAtFaultTest {
    private static final SortedMap<Long, ServiceSums> SOUND = SimulatedMinutes.of(4, 9, 9, 14);
    private static final CatalogView CATALOG = CatalogView.without(1);

    /** Six of ten periods throttled, with an eighth of the use. */
    private static SortedMap<Long, ServiceSums> victims() {
        SortedMap<Long, ServiceSums> minutes = new TreeMap<>();
        SOUND.forEach((start, sums) -> minutes.put(start, victim(sums)));
        return minutes;
    }

    private static ServiceSums victim(ServiceSums sums) {
        UsageSums used = sums.usage();
        ThrottlingSums seen = sums.throttling();
        return new ServiceSums(
                sums.key(),
                sums.windowStartUs(),
                sums.bandwidth(),
                sums.reporting(),
                sums.sampling(),
                new UsageSums(
                        used.usageUs() / 8,
                        used.sampledUsageUs() / 8,
                        used.excursionSamples(),
                        used.excursionUs()),
                new ThrottlingSums(
                        seen.bandwidthRecords(),
                        seen.periods(),
                        seen.periods() * 6 / 10,
                        seen.throttledUs(),
                        seen.bursts(),
                        seen.burstUsedUs(),
                        seen.throttledRunRecords(),
                        seen.throttledRuns(),
                        seen.throttledRunPeriodsMax(),
                        seen.throttledWallRecords(),
                        seen.throttledWallUs()),
                sums.threads(),
                sums.distributions(),
                sums.secondOrder(),
                sums.betweenShards(),
                sums.worstShards(),
                sums.kernelHostWindows(),
                sums.exemplars());
    }

    private static HorizonEvidence evidence(SortedMap<Long, ServiceSums> minutes) {
        return HorizonEvidence.of(minutes, 0, CATALOG, minutes.size() * 60_000_000L, 8);
    }

    private static List<SavingsEstimate> savings(SortedMap<Long, ServiceSums> minutes) {
        return new SavingsAnalysis(SavingsSettings.DEFAULT, RiskSettings.DEFAULT)
                .of(
                        evidence(minutes),
                        CATALOG,
                        new LoadPeaks(new TreeMap<>()),
                        Optional.empty(),
                        AnalysisTrigger.CADENCE);
    }

    @Test
    void nothingIsRecommendedOrPricedAndTheRowSaysWhy() {
        SortedMap<Long, ServiceSums> victims = victims();
        double lost = StrandedHorizon.cores(List.copyOf(victims.values())).orElseThrow();
        assertThat(lost).isPositive();
        List<SavingsEstimate> rows = savings(victims);
        assertThat(rows).hasSize(1);
        SavingsEstimate row = rows.get(0);
        assertThat(row.change()).isEmpty();
        assertThat(row.freed()).isEmpty();
        assertThat(row.settingText()).isEmpty();
        assertThat(row.trust()).isEqualTo(Trust.Verdict.UNUSABLE);
        assertThat(row.reasons())
                .anyMatch(reason -> reason.contains("install a kernel with the fix first"));
    }

    /**
     * The replay sees the demand, not what the kernel loses: beside what was measured it is wrong.
     */
    @Test
    void noOutcomeUnderAQuotaIsToBeActedOn() {
        List<WhatIfOutcome> rows =
                new WhatIfAnalysis().of(evidence(victims()), CATALOG, AnalysisTrigger.CADENCE);
        assertThat(rows).hasSizeGreaterThan(10);
        for (WhatIfOutcome row : rows) {
            boolean limited = row.figures().quotaCores().isPresent();
            assertThat(row.outcome().trust().reasons().contains(Trust.Reason.KERNEL_LOSES_QUOTA))
                    .as(row.question().scenario())
                    .isEqualTo(limited);
            assertThat(limited && row.outcome().trust().verdict() != Trust.Verdict.UNUSABLE)
                    .isFalse();
        }
    }

    @Test
    void aSoundKernelIsNotHeldAgainstAThrottledService() {
        assertThat(StrandedHorizon.cores(List.copyOf(SOUND.values()))).isEmpty();
        assertThat(savings(SOUND)).hasSizeGreaterThan(1);
    }
}
