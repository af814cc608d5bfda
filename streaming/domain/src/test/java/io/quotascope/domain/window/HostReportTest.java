package io.quotascope.domain.window;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HostReportTest {
    @Test
    void settingsOfOneClassAreOneStatement() {
        List<HostStatement> statements = WindowFixture.report().statements();
        // 200050 us and 200000 us per 100 ms are both 2000m: one host, two records, the least quota
        assertThat(statements)
                .containsExactly(
                        new HostStatement(
                                new ServiceKey(Origin.MEASURED, "lab", "checkout", "2000m/100ms"),
                                WindowFixture.MINUTE_US + 10_000_000,
                                Bandwidth.of(200_000, 100_000),
                                2,
                                "6.18.44"),
                        new HostStatement(
                                new ServiceKey(Origin.MEASURED, "lab", "search", "unlimited"),
                                WindowFixture.MINUTE_US + 10_000_000,
                                Bandwidth.unlimited(100_000),
                                1,
                                "6.18.44"));
    }

    @Test
    void aHostThatOnlyStatesMakesARowWithoutRecords() {
        HostStatement statement = WindowFixture.report().statements().get(0);
        ServiceAccumulator accumulator =
                new ServiceAccumulator(statement.key(), WindowFixture.MINUTE_US);
        accumulator.add(statement);
        ServiceSums sums = accumulator.toServiceSums();
        assertThat(sums.reporting().slotHosts().toList()).containsExactly(0, 1, 0, 0, 0, 0);
        assertThat(sums.reporting().expectedRecords()).isEqualTo(2);
        assertThat(sums.reporting().completeness()).hasValue(0.0);
        assertThat(sums.reporting().shards()).isZero();
        assertThat(sums.bandwidth()).isEqualTo(Bandwidth.of(200_000, 100_000));
        assertThat(sums.kernelHostWindows()).isEqualTo(Map.of("6.18.44", 1L));
        assertThat(sums.distributions().threads()).isEmpty();
        assertThat(sums.distributions().runnable()).isEmpty();
    }

    @Test
    void firstRecordsOfNewbornsBelongToTheWindowBeforeAndNameNoHost() {
        HostReport sound = WindowFixture.report();
        HostReport report =
                new HostReport(
                        sound.sender(),
                        sound.origin(),
                        sound.cluster(),
                        sound.windowStartUs(),
                        sound.load(),
                        sound.shape(),
                        sound.shardRecords(),
                        sound.serviceRecords(),
                        0,
                        0,
                        sound.agent(),
                        sound.conduct(),
                        List.of(new ServiceRecords("checkout", Bandwidth.of(200_000, 100_000), 2)));
        HostStatement own = report.statements().get(0);
        HostStatement first = report.statements().get(2);
        assertThat(first.windowStartUs()).isEqualTo(WindowFixture.MINUTE_US);
        ServiceAccumulator accumulator = new ServiceAccumulator(own.key(), WindowFixture.MINUTE_US);
        accumulator.add(own);
        accumulator.add(first);
        accumulator.add(WindowFixture.window(1));
        accumulator.add(WindowFixture.window(2));
        accumulator.add(WindowFixture.window(3));
        Reporting reporting = accumulator.toServiceSums().reporting();
        assertThat(reporting.slotHosts().toList()).containsExactly(0, 1, 0, 0, 0, 0);
        assertThat(reporting.expectedRecords()).isEqualTo(4);
        assertThat(reporting.completeness()).as("one of four was lost").hasValue(0.75);
        assertThat(accumulator.toServiceSums().kernelHostWindows())
                .isEqualTo(Map.of("6.18.44", 1L));
    }

    @Test
    void moreRecordsThanStatedAreNotMoreThanComplete() {
        ServiceAccumulator accumulator =
                new ServiceAccumulator(WindowFixture.window(1).key(), WindowFixture.MINUTE_US);
        accumulator.add(WindowFixture.window(1));
        accumulator.add(WindowFixture.window(2));
        accumulator.add(
                new HostStatement(
                        accumulator.key(),
                        WindowFixture.MINUTE_US,
                        Bandwidth.of(200_000, 100_000),
                        1,
                        "6.1"));
        assertThat(accumulator.toServiceSums().reporting().completeness()).hasValue(1.0);
    }

    @Test
    void nobodySaidWhatWasSent() {
        assertThat(Reporting.ZERO.completeness()).isEmpty();
    }
}
