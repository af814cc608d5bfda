package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.alert.AlertContext;
import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertSeverity;
import io.quotascope.domain.alert.AlertSubject;
import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.alert.ThrottlingAlert.State;
import io.quotascope.domain.fleet.CatalogView;
import io.quotascope.domain.hosts.HostCounter;
import io.quotascope.domain.hosts.HostHour;
import io.quotascope.domain.hosts.HostKey;
import io.quotascope.domain.hosts.HostTally;
import io.quotascope.domain.hosts.HourOfKernel;
import io.quotascope.domain.hosts.HourSlice;
import io.quotascope.domain.kernel.HostKernelFinding;
import io.quotascope.domain.kernel.KernelRule;
import io.quotascope.domain.kernel.StrandedQuota;
import io.quotascope.domain.kernel.StrandedShards;
import io.quotascope.domain.window.Origin;
import io.quotascope.wire.avro.KernelVerdict;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/** Alerts travel and come back; judgements of hosts fill their rows. */
class AlertRowsTest {
    private static final long HOUR_US = 1_795_165_200_000_000L;
    private static final HostKey HOST = new HostKey(Origin.REPLAYED, "eu", "host-1");

    private static ThrottlingAlert alert(AlertKind kind, AlertSeverity severity, State state) {
        return new ThrottlingAlert(
                new AlertSubject(
                        Origin.MEASURED,
                        "eu",
                        Optional.of("checkout"),
                        Optional.of("2000m/100ms"),
                        Optional.empty()),
                new AlertContext(
                        (2L << 32) + 7,
                        7,
                        Optional.of("payments"),
                        OptionalInt.of(3),
                        OptionalDouble.of(0.75),
                        OptionalDouble.of(2),
                        OptionalDouble.empty()),
                HOUR_US,
                kind,
                severity,
                state,
                HOUR_US - 60_000_000,
                OptionalDouble.of(1.25),
                1.6,
                List.of("because", "and because"));
    }

    @Property
    void anAlertComesBack(
            @ForAll AlertKind kind, @ForAll AlertSeverity severity, @ForAll State state) {
        ThrottlingAlert sent = alert(kind, severity, state);
        assertThat(
                        Codecs.THROTTLING_ALERTS
                                .decode(Codecs.THROTTLING_ALERTS.encode(sent))
                                .orElseThrow())
                .isEqualTo(sent);
    }

    @Example
    void anAlertAboutAHostComesBackWithItsAbsences() {
        ThrottlingAlert sent =
                new ThrottlingAlert(
                        AlertSubject.ofHost(Origin.SIMULATED, "eu", "host-1"),
                        AlertContext.of(CatalogView.without(1)),
                        HOUR_US,
                        AlertKind.SILENT_HOST,
                        AlertSeverity.CRITICAL,
                        State.RESOLVED,
                        HOUR_US,
                        OptionalDouble.empty(),
                        1,
                        List.of());
        assertThat(
                        Codecs.THROTTLING_ALERTS
                                .decode(Codecs.THROTTLING_ALERTS.encode(sent))
                                .orElseThrow())
                .isEqualTo(sent);
        assertThat(ThrottlingAlerts.toAvro(sent).getAlertId()).isEqualTo(sent.alertId());
    }

    @Example
    void everyLabelIsASymbolAndEverySymbolALabel() {
        assertThat(Stream.of(io.quotascope.wire.avro.AlertKind.values()).map(Enum::name))
                .containsExactlyElementsOf(
                        Stream.of(AlertKind.values()).map(AlertKind::label).toList());
        assertThat(Stream.of(AlertKind.values()).map(kind -> kind.name().toLowerCase()))
                .containsExactlyElementsOf(
                        Stream.of(AlertKind.values()).map(AlertKind::label).toList());
    }

    private static HostHour hour(HostTally tally) {
        return new HostHour(
                HOST, new HourSlice(HOUR_US, HOUR_US / 1000 + 1_230_000), 3, true, tally);
    }

    @Example
    void anHourFillsItsRowAndStatesNothingThatNobodySaid() {
        HostTally tally = new HostTally();
        tally.add(HostCounter.HOST_RECORDS, 60);
        tally.add(HostCounter.CPUS_MAX, 8);
        tally.add(HostCounter.THREAD_RECORDS, 60);
        tally.add(HostCounter.THREADS, 60 * 400);
        tally.kernels().put(7L, "6.1.0");
        tally.kernels().put(9L, "6.1.0");
        io.quotascope.wire.avro.HostHour row = HostHours.toAvro(hour(tally));
        assertThat(row.getVersion()).isEqualTo((3L << 32) + 2);
        assertThat(row.getPart()).isZero();
        assertThat(row.getExpectedHostRecords()).isEqualTo(120);
        assertThat(row.getCompleteness()).isEqualTo(0.5);
        assertThat(row.getThreadsPerCpu()).isEqualTo(50);
        assertThat(row.getKernelReleases()).containsExactly("6.1.0");
        assertThat(row.getAgentStarts()).isEqualTo(2);
        assertThat(row.getUsageUs()).isNull();
        assertThat(row.getUsedCores()).isNull();
        assertThat(row.getStealRatio()).isNull();
        assertThat(row.getRunnableThreadsMax()).isNull();
        assertThat(row.getBpfRunUs()).isNull();
        assertThat(row.getFirstHeardUs()).isNull();
        assertThat(row.getHeardUntilUs()).isNull();
    }

    @Example
    void theFirstHourOfAHostTellsWhenItWasHeard() {
        HostTally tally = new HostTally();
        tally.add(HostCounter.HOST_RECORDS, 20);
        tally.add(HostCounter.FIRST_WINDOW_US, HOUR_US + 1_000_000_000);
        tally.add(HostCounter.HEARD_UNTIL_US, HOUR_US + 1_200_000_000);
        HourSlice look = new HourSlice(HOUR_US, HOUR_US / 1000 + 1_230_000);
        io.quotascope.wire.avro.HostHour row =
                HostHours.toAvro(new HostHour(HOST, look, 3, false, tally));
        assertThat(row.getFirstHeardUs()).isEqualTo(HOUR_US + 1_000_000_000);
        assertThat(row.getHeardUntilUs()).isEqualTo(HOUR_US + 1_200_000_000);
        assertThat(row.getExpectedHostRecords()).isEqualTo(20);
        assertThat(row.getCompleteness()).isEqualTo(1);
    }

    @Example
    void findingsFillTheirRowsAndOnlySomeRulesShowInBehaviour() {
        StrandedShards seen =
                new StrandedShards(
                        List.of(
                                new StrandedQuota(StrandedQuota.Standing.STRANDED, 0.7, 0.8),
                                new StrandedQuota(StrandedQuota.Standing.NOT_THROTTLED, 0, 0)),
                        1,
                        0.8,
                        0.7,
                        0.9,
                        List.of("checkout/0"));
        List<io.quotascope.wire.avro.KernelFinding> rows =
                HostKernelFinding.of("4.18.0", seen).stream()
                        .map(
                                finding ->
                                        KernelFindings.toAvro(
                                                new HourOfKernel(
                                                        hour(new HostTally()), seen, finding)))
                        .toList();
        assertThat(rows).hasSize(KernelRule.values().length);
        assertThat(rows)
                .filteredOn(row -> row.getRule().equals("slice-expiry"))
                .singleElement()
                .satisfies(
                        row -> {
                            assertThat(row.getVerdict()).isEqualTo(KernelVerdict.confirmed);
                            assertThat(row.getBehaviouralSignature()).isTrue();
                            assertThat(row.getStrandedCoresLow()).isEqualTo(0.7);
                            assertThat(row.getStrandedCores()).isEqualTo(0.8);
                            assertThat(row.getStrandedCoresHigh()).isEqualTo(0.9);
                            assertThat(row.getShards()).isEqualTo(2);
                            assertThat(row.getShardsThrottled()).isEqualTo(1);
                            assertThat(row.getShardsUnjudged()).isEqualTo(1);
                            assertThat(row.getWorstShards()).containsExactly("checkout/0");
                        });
        assertThat(rows)
                .filteredOn(row -> row.getRule().equals("per-task-throttle"))
                .singleElement()
                .satisfies(
                        row -> {
                            assertThat(row.getVerdict()).isEqualTo(KernelVerdict.sound);
                            assertThat(row.getBehaviouralSignature()).isNull();
                            assertThat(row.getStrandedCores()).isNull();
                        });
    }
}
