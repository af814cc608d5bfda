package io.quotascope.domain.hosts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertReading;
import io.quotascope.domain.window.Bandwidth;
import java.util.OptionalLong;
import java.util.function.Consumer;
import net.jqwik.api.Example;

class HostReadingsTest {
    private static final long MINUTE_US = 60_000_000;

    /** Minutes of six windows each, after one another; the last one's readings. */
    @SafeVarargs
    private static AlertReading reading(
            AlertKind kind, int minutes, Consumer<HostFixture> host, Consumer<HostFixture>... of) {
        HostMemory memory = new HostMemory();
        AlertReading found = AlertReading.absent(kind);
        for (int number = 0; number < minutes; number++) {
            HostMinute minute = new HostMinute(HostFixture.KEY);
            for (int slot = 0; slot < 6; slot++) {
                HostFixture report = new HostFixture();
                report.window = number * 6 + slot;
                host.accept(report);
                minute.add(report.host(), Saturation.DEFAULT);
                for (int shard = 0; shard < of.length; shard++) {
                    HostFixture window = new HostFixture();
                    window.window = number * 6 + slot;
                    window.shardId = shard;
                    of[shard].accept(window);
                    minute.add(window.shard());
                }
            }
            long at = HostFixture.HOUR_US + number * MINUTE_US;
            memory.add(at, minute);
            found =
                    HostReadings.of(at, minute, memory).stream()
                            .filter(each -> each.kind() == kind)
                            .findFirst()
                            .orElseThrow();
        }
        return found;
    }

    @Example
    void threadsAreToldForEachCpu() {
        AlertReading level = reading(AlertKind.HOST_THREADS, 1, host -> host.threads = 4_000);
        assertThat(level.value()).hasValue(500);
        assertThat(level.reasons().get(0)).contains("4000 threads on 8 CPUs");
    }

    @Example
    void growthIsAgainstTheHourBeforeAndSaysWhatItDoesToContention() {
        AlertReading growth =
                reading(
                        AlertKind.HOST_THREADS_GROWTH,
                        30,
                        host -> host.threads = host.window < 29 * 6 ? 1_000 : 3_000);
        assertThat(growth.value()).hasValue(3);
        assertThat(growth.reasons().get(1)).contains("9.0 times as high");
    }

    @Example
    void growthIsUnknownInTheBeginningAndOfNoConcernOnAQuietHost() {
        assertThat(reading(AlertKind.HOST_THREADS_GROWTH, 15, host -> {}).value()).isEmpty();
        AlertReading few =
                reading(
                        AlertKind.HOST_THREADS_GROWTH,
                        30,
                        host -> host.threads = host.window < 29 * 6 ? 20 : 100);
        assertThat(few.value()).hasValue(1);
    }

    @Example
    void neighboursAreNamedWithWhatTheyTookAndWhoWaited() {
        AlertReading reading =
                reading(
                        AlertKind.NEIGHBOUR_INTERFERENCE,
                        1,
                        host -> host.hostUsageUs = 78_000_000,
                        noisy -> {
                            noisy.service = "batch";
                            noisy.excursionUs = 20_000_000;
                        },
                        victim -> {
                            victim.service = "search";
                            victim.usageUs = 10_000_000;
                            victim.runnable(4);
                        },
                        calm -> calm.service = "calm");
        // 6 windows of 20 s above quota on 8 CPUs in a minute
        assertThat(reading.value().orElseThrow()).isCloseTo(120 / 480.0, within(1e-12));
        assertThat(reading.reasons().get(0)).contains("6 of 6 windows").contains("2.00 cores");
        assertThat(reading.reasons().get(1)).isEqualTo("above quota: batch/0 2.00 cores");
        // 4 wanted to run, 1 ran
        assertThat(reading.reasons().get(2))
                .isEqualTo("within quota and waiting for a CPU: search/1 3.00 threads");
    }

    @Example
    void excursionsOnAHostWithRoomDisturbNobody() {
        AlertReading reading =
                reading(
                        AlertKind.NEIGHBOUR_INTERFERENCE,
                        1,
                        host -> host.hostUsageUs = 40_000_000,
                        noisy -> noisy.excursionUs = 20_000_000);
        assertThat(reading.value()).hasValue(0);
    }

    private static Consumer<HostFixture> throttledWithoutUse(int share) {
        return shard -> {
            shard.throttledPeriods = 100;
            shard.usageUs = 10_000_000L * share / 100;
        };
    }

    @Example
    void anAffectedKernelThatLosesQuotaIsAccusedWithWhatItLost() {
        AlertReading reading =
                reading(
                        AlertKind.KERNEL_FAULT,
                        10,
                        host -> host.kernel = "4.18.0",
                        throttledWithoutUse(20));
        // 1 core of quota, 20 % used: 0.8 cores at most, less the allowance of a window and of CPUs
        assertThat(reading.value().orElseThrow()).isBetween(0.75, 0.8);
        assertThat(reading.reasons().get(0)).contains("4.18.0");
        assertThat(reading.reasons().get(2)).contains("checkout/0");
    }

    @Example
    void aSoundKernelIsNeverAccused() {
        assertThat(
                        reading(
                                        AlertKind.KERNEL_FAULT,
                                        10,
                                        host -> host.kernel = "6.1.0",
                                        throttledWithoutUse(20))
                                .value())
                .hasValue(0);
    }

    @Example
    void throttlingThatUsageExplainsIsNobodysFault() {
        assertThat(
                        reading(
                                        AlertKind.KERNEL_FAULT,
                                        10,
                                        host -> host.kernel = "4.18.0",
                                        throttledWithoutUse(100))
                                .value())
                .hasValue(0);
    }

    @Example
    void aChangeOfTheQuotaAccusesNobody() {
        // the quota falls to a tenth in the middle: usage looks far too small for what was handed
        // out before
        AlertReading reading =
                reading(
                        AlertKind.KERNEL_FAULT,
                        10,
                        host -> host.kernel = "4.18.0",
                        shard -> {
                            shard.throttledPeriods = 100;
                            shard.usageUs = 1_000_000;
                            shard.bandwidth =
                                    shard.window < 30
                                            ? Bandwidth.of(10_000, 100_000)
                                            : new Bandwidth(
                                                    OptionalLong.of(100_000),
                                                    OptionalLong.of(100_000));
                        });
        assertThat(reading.value()).hasValue(0);
    }
}
