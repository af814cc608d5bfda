package io.quotascope.validate.report;

import io.quotascope.validate.score.Row;
import java.util.List;

/** The table. */
public final class Markdown {
    private Markdown() {}

    /** Rows as a Markdown table; quantities keep the order in which they first appear. */
    public static String table(List<Row> rows) {
        StringBuilder text =
                new StringBuilder(
                        "| quantity | oracle | input | estimator | result | must | verdict | answers |\n"
                                + "|---|---|---|---|---|---|---|---|\n");
        for (String quantity : rows.stream().map(Row::quantity).distinct().toList()) {
            for (Row row : rows) {
                if (row.quantity().equals(quantity)) {
                    text.append(line(row));
                }
            }
        }
        return text.toString();
    }

    private static String line(Row row) {
        return "| "
                + String.join(
                        " | ",
                        List.of(
                                row.quantity(),
                                row.oracle(),
                                row.input(),
                                row.estimator(),
                                row.result(),
                                row.must(),
                                row.verdict(),
                                String.valueOf(row.answered())))
                + " |\n";
    }
}
