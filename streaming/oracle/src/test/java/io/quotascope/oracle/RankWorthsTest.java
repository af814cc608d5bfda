package io.quotascope.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.rank.RankPolicy;
import io.quotascope.domain.rank.ServiceOffer;
import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.domain.rank.TuningOffer.Interval;
import io.quotascope.domain.whatif.Trust;
import io.quotascope.domain.window.Origin;
import io.quotascope.domain.window.ServiceAccumulator;
import io.quotascope.domain.window.ServiceKey;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.wire.TuningRanks;
import io.quotascope.wire.avro.TuningRank;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Which judgements a row of the ranking may rest on, and what it must say then. */
final class RankWorthsTest {
    private static final ServiceKey KEY =
            new ServiceKey(Origin.SIMULATED, "lab", "checkout", "none");

    private final RankWorths worths = new RankWorths();

    private static TuningRank row(ServiceKey key, Long savingsAtUs) {
        TreeMap<Long, ServiceSums> horizon = new TreeMap<>();
        horizon.put(0L, new ServiceAccumulator(key, 0).toServiceSums());
        TuningRank row =
                TuningRanks.toAvro(
                        io.quotascope.domain.rank.TuningRank.judge(
                                horizon, 0, CatalogView.without(1), RankPolicy.DEFAULT));
        row.setSavingsAnalysedAtUs(savingsAtUs);
        // What a row said of worth before does not count.
        row.setEffortDays(77.0);
        row.setValueReasons(List.of("because"));
        return row;
    }

    private static ServiceOffer savings(long analysedAtUs, boolean best, double cores) {
        return new ServiceOffer(
                KEY,
                1,
                new TuningOffer.Savings(
                        analysedAtUs,
                        best,
                        "pools",
                        Optional.of("half the threads"),
                        Optional.of(new Interval(cores / 2, cores, 2 * cores)),
                        OptionalDouble.empty(),
                        Optional.empty(),
                        OptionalDouble.empty(),
                        0.5,
                        2,
                        Trust.Verdict.SOUND,
                        List.of()));
    }

    @Test
    void aRowThatNamesNothingHasTheStandIn() {
        worths.offer(savings(60, true, 4));
        assertThat(worths.of(row(KEY, null)))
                .singleElement()
                .satisfies(
                        weighed -> {
                            assertThat(weighed.getEffortDays()).isNull();
                            assertThat(weighed.getValueReasons())
                                    .isNotEmpty()
                                    .doesNotContain("because");
                        });
    }

    @Test
    void aRowRestsOnTheBestEstimateOfTheWindowThatItNames() {
        worths.offer(savings(60, true, 4));
        worths.offer(savings(60, false, 8));
        worths.offer(savings(120, true, 16));
        assertThat(worths.of(row(KEY, 60L)))
                .extracting(TuningRank::getTunableCores)
                .containsExactly(4.0);
    }

    @Test
    void twoJudgementsOfOneWindowMayHaveComeInEitherOrder() {
        worths.offer(savings(60, true, 4));
        worths.offer(savings(60, true, 5));
        assertThat(worths.of(row(KEY, 60L)))
                .extracting(TuningRank::getTunableCores)
                .containsExactly(4.0, 5.0);
    }

    @Test
    void nobodyElsesAndNoUnknownJudgementCounts() {
        worths.offer(savings(60, true, 4));
        assertThat(worths.of(row(KEY, 61L))).isEmpty();
        ServiceKey other = new ServiceKey(Origin.SIMULATED, "lab", "search", "none");
        assertThat(worths.of(row(other, 60L))).isEmpty();
    }
}
