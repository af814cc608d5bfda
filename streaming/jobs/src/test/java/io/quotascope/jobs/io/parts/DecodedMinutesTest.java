package io.quotascope.jobs.io.parts;

import static io.quotascope.jobs.fixture.ServiceRows.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.ServiceSums;
import io.quotascope.domain.window.ServiceWindow;
import org.junit.jupiter.api.Test;

class DecodedMinutesTest {
    private static MergedParts parts(int minute) {
        return MergedParts.of(row(minute, 0, 6, r -> {}), 0);
    }

    @Test
    void aMinuteIsDecodedOnceWhileItIsKept() {
        DecodedMinutes decoded = new DecodedMinutes(2);
        MergedParts first = parts(0);
        ServiceSums sums = decoded.of(first);
        assertThat(sums).isEqualTo(first.sums());
        assertThat(decoded.of(first)).isSameAs(sums);
        decoded.of(parts(1));
        assertThat(decoded.of(first)).isSameAs(sums);
        decoded.of(parts(2));
        assertThat(decoded.of(first)).as("the oldest leaves").isEqualTo(sums).isNotSameAs(sums);
    }

    @Test
    void aMinuteThatChangedIsAnotherOne() {
        DecodedMinutes decoded = new DecodedMinutes(4);
        MergedParts before = parts(0);
        decoded.of(before);
        ServiceWindow late = row(0, 1_963_600, 3, r -> {});
        MergedParts after = before.plus(late, 0).orElseThrow();
        assertThat(decoded.of(after)).isEqualTo(after.sums()).isNotEqualTo(before.sums());
    }

    @Test
    void whatWasPutIsHandedOut() {
        DecodedMinutes decoded = new DecodedMinutes(1);
        ServiceWindow row = row(0, 0, 6, r -> {});
        MergedParts parts = MergedParts.of(row, 0);
        decoded.put(parts, row.sums());
        assertThat(decoded.of(parts)).isSameAs(row.sums()).isEqualTo(parts.sums());
    }
}
