package io.quotascope.inputs.load;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.load.LatencyCounts;
import io.quotascope.domain.load.ServiceLoad;
import io.quotascope.domain.load.ServiceLoad.Failures;
import io.quotascope.domain.window.Origin;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The fields of one minute of load in a CSV or YAML file. */
final class LoadFields {
    private static final Pattern BOUND = Pattern.compile("latency_le_us_(\\d{1,15}|inf)");
    static final InputFile.Form FORM =
            new InputFile.Form(
                    "minutes",
                    List.of(),
                    List.of(
                            "origin",
                            "cluster",
                            "service",
                            "window_start",
                            "requests",
                            "errors",
                            "timeouts",
                            "retries"),
                    name -> BOUND.matcher(name).matches());

    private LoadFields() {}

    static ServiceLoad read(Fields fields, long version) throws InvalidInputException {
        Origin origin =
                Origin.valueOf(
                        fields.oneOf("origin", List.of("measured", "replayed", "simulated"))
                                .orElse("measured")
                                .toUpperCase(Locale.ROOT));
        String cluster = fields.requiredText("cluster");
        String service = fields.requiredText("service");
        OptionalLong start = fields.instantUs("window_start");
        OptionalLong requests = fields.number("requests", 0, Long.MAX_VALUE);
        if (start.isEmpty() || requests.isEmpty()) {
            throw fields.missing(start.isEmpty() ? "window_start" : "requests");
        }
        OptionalLong errors = fields.number("errors", 0, Long.MAX_VALUE);
        OptionalLong timeouts = fields.number("timeouts", 0, Long.MAX_VALUE);
        OptionalLong retries = fields.number("retries", 0, Long.MAX_VALUE);
        Map<Long, Long> upTo = new TreeMap<>();
        for (String name : fields.names()) {
            Matcher bound = BOUND.matcher(name);
            if (bound.matches()) {
                upTo.put(
                        bound.group(1).equals("inf")
                                ? CumulativeLatency.OPEN
                                : Long.parseLong(bound.group(1)),
                        fields.number(name, 0, Long.MAX_VALUE).orElseThrow());
            }
        }
        LatencyCounts latency = fields.made(() -> CumulativeLatency.buckets(upTo));
        return fields.made(
                () ->
                        new ServiceLoad(
                                origin,
                                cluster,
                                service,
                                start.getAsLong(),
                                "csv",
                                requests.getAsLong(),
                                new Failures(errors, timeouts, retries),
                                latency,
                                version));
    }
}
