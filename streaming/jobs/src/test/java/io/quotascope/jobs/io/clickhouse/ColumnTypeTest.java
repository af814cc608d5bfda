package io.quotascope.jobs.io.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.wire.avro.CpuUsageWindow;
import io.quotascope.wire.avro.ExcursionThread;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class ColumnTypeTest {
    private static final ColumnType NAMES =
            ColumnType.of(CpuUsageWindow.getClassSchema().getField("excursion_threads"));

    private static byte[] bytes(Object value) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        NAMES.writer().write(value, new DataOutputStream(out));
        return out.toByteArray();
    }

    @Test
    void anArrayThatMayBeAbsentIsAnArrayWithoutANullByte() throws IOException {
        assertThat(NAMES.type()).isEqualTo("Array(Tuple(comm String, usage_us Int64))");
        // RowBinary: the count, then each element's columns; a text is its length and its bytes.
        assertThat(bytes(List.of(new ExcursionThread("gc#", 258L))))
                .containsExactly(1, 3, 'g', 'c', '#', 2, 1, 0, 0, 0, 0, 0, 0);
    }

    @Test
    void anAbsentArrayIsAnEmptyOne() throws IOException {
        assertThat(bytes(null)).containsExactly(0).isEqualTo(bytes(List.of()));
    }
}
