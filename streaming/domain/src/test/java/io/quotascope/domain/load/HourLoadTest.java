package io.quotascope.domain.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.Origin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HourLoadTest {
    private static final long HOUR = HourLoad.hourOf(1_790_000_000_000_000L);
    private static final LatencyCounts FAST = new LatencyCounts(List.of(1_000L), List.of(10L, 0L));

    private static ServiceLoad minute(
            int number, long requests, LatencyCounts latency, long version) {
        return new ServiceLoad(
                Origin.MEASURED,
                "lab",
                "checkout",
                HOUR + number * ServiceLoad.WINDOW_US,
                "csv",
                requests,
                ServiceLoad.Failures.NOT_COUNTED,
                latency,
                version);
    }

    private static List<ServiceLoad> minutes(int until, long version) {
        List<ServiceLoad> minutes = new ArrayList<>();
        for (int number = 0; number < until; number++) {
            minutes.add(minute(number, 10 + number, FAST, version));
        }
        return minutes;
    }

    private static HourLoad of(List<ServiceLoad> minutes) {
        HourLoad hour = HourLoad.of(minutes.get(0));
        for (ServiceLoad minute : minutes.subList(1, minutes.size())) {
            hour = hour.plus(minute);
        }
        return hour;
    }

    @Test
    void sixtyMinutesAreAnHourAndFiftyNineAreNone() {
        HourLoad whole = of(minutes(60, 1));
        assertThat(whole.wholeRequests()).hasValue(60 * 10 + 59 * 60 / 2);
        assertThat(whole.wholeLatencyUsP99()).hasValueCloseTo(990.0, within());
        assertThat(of(minutes(59, 1)).wholeRequests()).isEmpty();
        assertThat(of(minutes(59, 1)).wholeLatencyUsP99()).isEmpty();
    }

    private static org.assertj.core.data.Offset<Double> within() {
        return org.assertj.core.data.Offset.offset(1e-9);
    }

    @Test
    void orderAndRepetitionsChangeNothing() {
        List<ServiceLoad> all = new ArrayList<>(minutes(60, 2));
        all.addAll(minutes(60, 1));
        all.addAll(minutes(30, 2));
        HourLoad expected = of(minutes(60, 2));
        for (int seed = 0; seed < 5; seed++) {
            Collections.shuffle(all, new Random(seed));
            assertThat(of(all)).as("seed %d", seed).isEqualTo(expected);
        }
    }

    @Test
    void aGreaterVersionBeginsTheHourAnew() {
        List<ServiceLoad> corrected = minutes(60, 1);
        corrected.add(minute(5, 1, FAST, 2));
        assertThat(of(corrected).wholeRequests()).isEmpty();
        assertThat(of(corrected).requests()).isEqualTo(1);
    }

    @Test
    void otherBucketsAreNoLatency() {
        List<ServiceLoad> mixed = minutes(59, 1);
        mixed.add(minute(59, 10, LatencyCounts.NONE, 1));
        assertThat(of(mixed).wholeRequests()).isPresent();
        assertThat(of(mixed).latency()).isEqualTo(Optional.empty());
        assertThat(of(mixed).wholeLatencyUsP99()).isEmpty();
    }
}
