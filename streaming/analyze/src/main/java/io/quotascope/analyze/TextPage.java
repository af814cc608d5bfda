package io.quotascope.analyze;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A report for a terminal: at most 100 columns, no colour, aligned. */
final class TextPage {
    private static final int BAR = 50;
    private static final int ROWS_MAX = 24;

    private TextPage() {}

    static String of(Report report) {
        StringBuilder page = new StringBuilder();
        page.append(report.title()).append("\n\n");
        int width = report.facts().stream().mapToInt(fact -> fact.label().length()).max().orElse(0);
        for (Report.Fact fact : report.facts()) {
            page.append("  ").append(padded(fact.label(), width)).append("  ").append(fact.text());
            page.append('\n');
        }
        histogram(page, report.histogram());
        for (Report.Table table : report.tables()) {
            table(page, table);
        }
        report.advice().forEach(advice -> advice(page, advice));
        if (!report.caveats().isEmpty()) {
            page.append("\nBefore believing it\n");
            report.caveats().forEach(caveat -> page.append("  * ").append(caveat).append('\n'));
        }
        return page.toString();
    }

    private static void histogram(StringBuilder page, Report.Histogram histogram) {
        page.append("\nUsed cores in slices of 10 ms\n");
        List<Report.Bucket> rows = coarser(histogram.buckets());
        double most = rows.stream().mapToDouble(Report.Bucket::share).max().orElse(1);
        boolean marked = histogram.quotaCores() == null;
        for (Report.Bucket row : rows) {
            if (!marked && row.fromCores() >= histogram.quotaCores()) {
                page.append(
                        String.format(
                                Locale.ROOT,
                                "  %9.2f %s quota%n",
                                histogram.quotaCores(),
                                "-".repeat(BAR)));
                marked = true;
            }
            int length = (int) Math.round(BAR * row.share() / most);
            page.append(
                    String.format(
                            Locale.ROOT,
                            "  %9.2f %s %.2f %%%n",
                            row.fromCores(),
                            "#".repeat(length),
                            100 * row.share()));
        }
    }

    /** Joins neighbours until the rows fit a screen. */
    private static List<Report.Bucket> coarser(List<Report.Bucket> buckets) {
        List<Report.Bucket> rows = buckets;
        while (rows.size() > ROWS_MAX) {
            List<Report.Bucket> finer = rows;
            rows =
                    IntStream.range(0, (finer.size() + 1) / 2)
                            .mapToObj(pair -> joined(finer, 2 * pair))
                            .toList();
        }
        return rows;
    }

    private static Report.Bucket joined(List<Report.Bucket> finer, int first) {
        Report.Bucket low = finer.get(first);
        Report.Bucket high = first + 1 < finer.size() ? finer.get(first + 1) : null;
        return high == null
                ? low
                : new Report.Bucket(low.fromCores(), high.toCores(), low.share() + high.share());
    }

    private static void advice(StringBuilder page, Report.Advice advice) {
        page.append("\nRecommended change\n");
        advice.reasons().forEach(reason -> page.append("  * ").append(reason).append('\n'));
        for (Report.Setting setting : advice.settings()) {
            page.append("\n  ").append(setting.platform());
            page.append(setting.remark().isEmpty() ? "" : " (" + setting.remark() + ')');
            page.append('\n').append(setting.text().indent(4));
        }
    }

    private static void table(StringBuilder page, Report.Table table) {
        page.append('\n').append(table.title()).append('\n');
        int[] widths = new int[table.columns().size()];
        for (int column = 0; column < widths.length; column++) {
            int at = column;
            widths[column] =
                    Math.max(
                            table.columns().get(column).length(),
                            table.rows().stream()
                                    .mapToInt(row -> row.get(at).length())
                                    .max()
                                    .orElse(0));
        }
        line(page, table.columns(), widths);
        table.rows().forEach(row -> line(page, row, widths));
    }

    private static void line(StringBuilder page, List<String> cells, int[] widths) {
        String text =
                IntStream.range(0, cells.size())
                        .mapToObj(column -> padded(cells.get(column), widths[column]))
                        .collect(Collectors.joining("  "));
        page.append("  ").append(text.stripTrailing()).append('\n');
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
