package io.quotascope.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.jobs.fixture.ClickHouseStandIn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Rows of services in the stand-in as lines of text, in the form of {@link TimePartReference}. */
final class WrittenRows {

    private WrittenRows() {}

    /** What ReplacingMergeTree leaves: one row a key, and repetitions must be equal. */
    static TreeMap<String, String> of(ClickHouseStandIn clickHouse) {
        Map<String, Map<String, Object>> replaced = new HashMap<>();
        for (Map<String, Object> row : clickHouse.rows("service_windows")) {
            String key =
                    row.get("service")
                            + " minute "
                            + (long) row.get("window_start") / 1000
                            + " part "
                            + row.get("part");
            Map<String, Object> before = replaced.put(key, row);
            assertThat(before == null ? row : before).as("a repetition of " + key).isEqualTo(row);
        }
        TreeMap<String, String> lines = new TreeMap<>();
        replaced.forEach((key, row) -> lines.put(key, line(row)));
        return lines;
    }

    private static String line(Map<String, Object> row) {
        return "records "
                + row.get("records")
                + " of "
                + row.get("expected_records")
                + " "
                + row.get("slot_records")
                + " hosts "
                + row.get("slot_hosts")
                + " "
                + new TreeMap<>((Map<?, ?>) row.get("kernel_host_windows"))
                + " samples "
                + row.get("samples")
                + " usage "
                + row.get("usage_us")
                + " throttled "
                + row.get("throttled_periods")
                + "/"
                + row.get("periods")
                + " "
                + row.get("throttled_us")
                + " us threads "
                + row.get("threads_sum")
                + " histogram "
                + histogram((String) row.get("usage_histogram"));
    }

    /** Unpacks pairs of bucket step and count; the stand-in hands bytes over as Latin-1 text. */
    private static TreeMap<Integer, Long> histogram(String packed) {
        List<Long> numbers = new ArrayList<>();
        long value = 0;
        int shift = 0;
        for (char c : packed.toCharArray()) {
            value |= (c & 0x7FL) << shift;
            shift += 7;
            if (c < 0x80) {
                numbers.add(value);
                value = 0;
                shift = 0;
            }
        }
        TreeMap<Integer, Long> counts = new TreeMap<>();
        int bucket = 0;
        for (int i = 0; i < numbers.size(); i += 2) {
            bucket += numbers.get(i).intValue();
            counts.put(bucket, numbers.get(i + 1));
        }
        return counts;
    }
}
