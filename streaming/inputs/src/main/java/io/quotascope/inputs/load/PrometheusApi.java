package io.quotascope.inputs.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotascope.console.InvalidInputException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Prometheus' HTTP interface, as far as range queries go: /api/v1/query_range. */
final class PrometheusApi {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * One series of an answer.
     *
     * @param labels its labels
     * @param values value by instant, seconds since the Unix epoch
     */
    record Series(Map<String, String> labels, Map<Long, Double> values) {}

    private final URI server;
    private final Optional<String> token;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

    PrometheusApi(URI server, Optional<String> token) {
        this.server = server;
        this.token = token;
    }

    /**
     * The series of a query at each full minute from one instant to another, both included.
     *
     * @throws IOException when the server does not answer
     * @throws InvalidInputException when it refuses the query, with its sentence
     */
    List<Series> range(String query, long fromSeconds, long untilSeconds)
            throws IOException, InvalidInputException, InterruptedException {
        // In the body, because a query may be longer than a server takes in an address.
        String form =
                "query="
                        + URLEncoder.encode(query, StandardCharsets.UTF_8)
                        + "&start="
                        + fromSeconds
                        + "&end="
                        + untilSeconds
                        + "&step=60";
        String path = server.toString().replaceAll("/+$", "") + "/api/v1/query_range";
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(path))
                        .timeout(PATIENCE)
                        .header("Content-Type", "application/x-www-form-urlencoded")
                        .POST(HttpRequest.BodyPublishers.ofString(form));
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        HttpResponse<String> response =
                client.send(
                        request.build(),
                        HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
        return series(response.statusCode(), response.body());
    }

    /** The series of an answer. */
    static List<Series> series(int status, String body) throws IOException, InvalidInputException {
        JsonNode answer;
        try {
            answer = JSON.readTree(body);
        } catch (IOException e) {
            throw new IOException("status " + status + " and no JSON: " + head(body), e);
        }
        if (!answer.path("status").asText().equals("success")) {
            String error = answer.path("error").asText(head(body));
            if (status == 400 || status == 422) {
                throw new InvalidInputException("Prometheus refuses the query: " + error);
            }
            throw new IOException("status " + status + ": " + error);
        }
        List<Series> found = new ArrayList<>();
        for (JsonNode each : answer.path("data").path("result")) {
            Map<String, String> labels = new LinkedHashMap<>();
            each.path("metric")
                    .fields()
                    .forEachRemaining(
                            label -> labels.put(label.getKey(), label.getValue().asText()));
            Map<Long, Double> values = new TreeMap<>();
            for (JsonNode value : each.path("values")) {
                // NaN is what a quotient without requests gives; it counts nothing.
                double number = number(value.path(1).asText());
                if (Double.isFinite(number)) {
                    values.put(value.path(0).asLong(), number);
                }
            }
            found.add(new Series(labels, values));
        }
        return found;
    }

    private static double number(String text) throws IOException {
        return switch (text) {
            case "+Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> {
                try {
                    yield Double.parseDouble(text);
                } catch (NumberFormatException e) {
                    throw new IOException("no value in Prometheus' answer: " + text, e);
                }
            }
        };
    }

    private static String head(String body) {
        return body.substring(0, Math.min(120, body.length())).strip();
    }
}
