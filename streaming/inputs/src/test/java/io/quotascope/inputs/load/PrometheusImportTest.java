package io.quotascope.inputs.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.window.Origin;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers in the form of Prometheus' documented query_range interface, written by hand. */
class PrometheusImportTest {
    private static final long TEN = 1_795_341_600L;

    private static PrometheusQueries queries(Map<String, String> counted) {
        return new PrometheusQueries(2, "prod", "service", Optional.empty(), 1, counted);
    }

    private static String answer(String... series) {
        return "{\"status\":\"success\",\"data\":{\"resultType\":\"matrix\",\"result\":["
                + String.join(",", series)
                + "]}}";
    }

    private static String series(String labels, String... values) {
        return "{\"metric\":{" + labels + "},\"values\":[" + String.join(",", values) + "]}";
    }

    private static String at(long seconds, String value) {
        return "[" + seconds + ",\"" + value + "\"]";
    }

    @Test
    void aValueBelongsToTheMinuteThatEndsAtItsInstant() throws Exception {
        List<String> asked = new ArrayList<>();
        PrometheusImport reading =
                new PrometheusImport(
                        (query, from, until) -> {
                            asked.add(query + ' ' + (from - TEN) + ' ' + (until - TEN));
                            return PrometheusApi.series(
                                    200,
                                    switch (query) {
                                        case "R" ->
                                                answer(
                                                        series(
                                                                "\"service\":\"a\"",
                                                                at(TEN + 60, "10.4"),
                                                                at(TEN + 120, "NaN")));
                                        case "E" ->
                                                answer(
                                                        series(
                                                                "\"service\":\"a\"",
                                                                at(TEN + 60, "1.6"),
                                                                at(TEN + 120, "3")));
                                        default ->
                                                answer(
                                                        series(
                                                                "\"service\":\"a\",\"le\":\"0.005\"",
                                                                at(TEN + 60, "8")),
                                                        series(
                                                                "\"service\":\"a\",\"le\":\"0.01\"",
                                                                at(TEN + 60, "7.4")),
                                                        series(
                                                                "\"service\":\"a\",\"le\":\"+Inf\"",
                                                                at(TEN + 60, "10")));
                                    });
                        },
                        queries(Map.of("requests", "R", "errors", "E", "latency_buckets", "L")),
                        Origin.MEASURED,
                        1);
        List<ServiceLoad> loads = reading.minutes(TEN * 1_000_000, (TEN + 150) * 1_000_000);
        assertThat(asked).contains("R 60 120", "E 60 120", "L 60 120");
        // the second minute has no count of requests: it is not known to be empty
        assertThat(loads).hasSize(1);
        ServiceLoad minute = loads.get(0);
        assertThat(minute.windowStartUs()).isEqualTo(TEN * 1_000_000);
        assertThat(minute.requests()).isEqualTo(10);
        assertThat(minute.failures().errors()).hasValue(2);
        assertThat(minute.failures().timeouts()).isEmpty();
        assertThat(minute.latency().boundsUs()).containsExactly(5_000L, 10_000L);
        assertThat(minute.latency().requests()).containsExactly(8L, 0L, 2L);
    }

    @Test
    void aSeriesWithoutItsServiceAndARefusedQueryAreTold() {
        PrometheusImport reading =
                new PrometheusImport(
                        (query, from, until) ->
                                PrometheusApi.series(
                                        200, answer(series("\"job\":\"x\"", at(TEN + 60, "1")))),
                        queries(Map.of("requests", "R")),
                        Origin.MEASURED,
                        1);
        assertThatThrownBy(() -> reading.minutes(TEN * 1_000_000, (TEN + 60) * 1_000_000))
                .hasMessageContaining("without the label service: sum by it");
        assertThatThrownBy(
                        () ->
                                PrometheusApi.series(
                                        400,
                                        "{\"status\":\"error\",\"errorType\":\"bad_data\",\"error\":\"parse"
                                                + " error\"}"))
                .hasMessage("Prometheus refuses the query: parse error");
        assertThatThrownBy(() -> PrometheusApi.series(502, "<html>bad gateway"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("status 502");
    }
}
