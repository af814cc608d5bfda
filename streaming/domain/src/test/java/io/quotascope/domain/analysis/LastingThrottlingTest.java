package io.quotascope.domain.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.risk.Multiple;
import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ThrottlingSums;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** As much throttling that lasts longer brings the analysed cliff nearer; nothing else changes. */
class LastingThrottlingTest {
    private static final SortedMap<Long, ServiceSums> MINUTES = SimulatedMinutes.of(3, 9, 9, 14);
    private static final CatalogView NO_ENTRY = CatalogView.without(1);

    private static Multiple cliff(UnaryOperator<ThrottlingSums> change) {
        SortedMap<Long, ServiceSums> changed = new TreeMap<>();
        MINUTES.forEach(
                (start, minute) ->
                        changed.put(start, with(minute, change.apply(minute.throttling()))));
        HorizonEvidence seen = HorizonEvidence.of(changed, 0, NO_ENTRY, 180_000_000L, 8);
        return new CliffAnalysis(RiskSettings.DEFAULT)
                .of(seen, NO_ENTRY)
                .orElseThrow()
                .cliff()
                .service();
    }

    private static UnaryOperator<ThrottlingSums> runs(long records, long runs, long longest) {
        return sums ->
                new ThrottlingSums(
                        sums.bandwidthRecords(),
                        sums.periods(),
                        sums.throttledPeriods(),
                        sums.throttledUs(),
                        sums.bursts(),
                        sums.burstUsedUs(),
                        records,
                        runs,
                        (int) longest,
                        sums.throttledWallRecords(),
                        sums.throttledWallUs());
    }

    private static ServiceSums with(ServiceSums minute, ThrottlingSums throttling) {
        return new ServiceSums(
                minute.key(),
                minute.windowStartUs(),
                minute.bandwidth(),
                minute.reporting(),
                minute.sampling(),
                minute.usage(),
                throttling,
                minute.threads(),
                minute.distributions(),
                minute.secondOrder(),
                minute.betweenShards(),
                minute.worstShards(),
                minute.kernelHostWindows(),
                minute.exemplars());
    }

    @Test
    void itIsNearerTheLongerThrottlingLasts() {
        ThrottlingSums counted = MINUTES.get(MINUTES.lastKey()).throttling();
        assertThat(counted.throttledPeriods()).isGreaterThan(20);
        long records = counted.throttledRunRecords();
        Multiple lone = cliff(sums -> runs(records, sums.throttledPeriods(), 1).apply(sums));
        Multiple lasting = cliff(sums -> runs(records, 1, sums.throttledPeriods()).apply(sums));
        assertThat(lasting.value()).isLessThan(0.97 * lone.value());
        assertThat(lasting.high() / lasting.low())
                .isCloseTo(lone.high() / lone.low(), within(1e-9));
    }

    /** Where runs are not counted there is another line, and its answer is of the same size. */
    @Test
    void itIsKnownWithoutRunsToo() {
        Multiple without = cliff(runs(0, 0, 0));
        assertThat(without.value() / cliff(UnaryOperator.identity()).value()).isBetween(0.8, 1.25);
    }
}
