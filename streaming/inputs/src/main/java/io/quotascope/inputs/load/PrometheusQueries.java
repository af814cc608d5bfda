package io.quotascope.inputs.load;

import io.quotascope.console.InvalidInputException;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which queries tell the load of which services. Each query is of a minute's increase and gives one
 * series a service; the latency query one a service and le.
 *
 * @param line where it stands, for messages
 * @param cluster cluster of the services
 * @param serviceLabel label of a series that names the service
 * @param service service of all series, for queries without that label
 * @param secondsPerUnit unit of le, seconds
 * @param queries PromQL by what it counts
 */
record PrometheusQueries(
        int line,
        String cluster,
        String serviceLabel,
        Optional<String> service,
        double secondsPerUnit,
        Map<String, String> queries) {
    static final String REQUESTS = "requests";
    static final String LATENCY = "latency_buckets";
    private static final List<String> COUNTED =
            List.of(REQUESTS, "errors", "timeouts", "retries", LATENCY);
    static final InputFile.Form FORM =
            InputFile.Form.of(
                    "queries",
                    List.of(),
                    List.of(
                            "cluster",
                            "service",
                            "service_label",
                            "latency_unit",
                            REQUESTS,
                            "errors",
                            "timeouts",
                            "retries",
                            LATENCY));

    static PrometheusQueries read(Fields fields) throws InvalidInputException {
        String cluster = fields.requiredText("cluster");
        fields.requiredText(REQUESTS);
        Map<String, String> queries = new TreeMap<>();
        for (String name : COUNTED) {
            fields.text(name).ifPresent(query -> queries.put(name, query));
        }
        String unit =
                fields.oneOf("latency_unit", List.of("seconds", "milliseconds")).orElse("seconds");
        return new PrometheusQueries(
                fields.line(),
                cluster,
                fields.text("service_label").orElse("service"),
                fields.text("service"),
                unit.equals("seconds") ? 1 : 0.001,
                queries);
    }
}
