package io.quotascope.analyze;

import java.util.List;
import java.util.Locale;

/**
 * The distribution of used cores as SVG, on a logarithmic axis as the buckets are, with the quota
 * as a line: what lies to its right is used up before the period ends.
 */
final class HistogramPicture {
    private static final double WIDTH = 900;
    private static final double HEIGHT = 260;
    private static final double LEFT = 50;
    private static final double BOTTOM = 220;
    private static final double TOP = 20;
    private static final double LEAST_CORES = 1 / 64.0;

    private final double least;
    private final double most;

    private HistogramPicture(double least, double most) {
        this.least = least;
        this.most = most;
    }

    static String of(Report.Histogram histogram) {
        List<Report.Bucket> buckets = histogram.buckets();
        double most = buckets.isEmpty() ? 1 : buckets.get(buckets.size() - 1).toCores();
        if (histogram.quotaCores() != null) {
            most = Math.max(most, 1.3 * histogram.quotaCores());
        }
        return new HistogramPicture(LEAST_CORES, most).drawn(histogram);
    }

    private String drawn(Report.Histogram histogram) {
        StringBuilder svg = new StringBuilder();
        svg.append(
                text(
                        "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"share of"
                                + " slices by used cores\">%n",
                        WIDTH, HEIGHT));
        double tallest =
                histogram.buckets().stream().mapToDouble(Report.Bucket::share).max().orElse(1);
        for (Report.Bucket bucket : histogram.buckets()) {
            double x = x(bucket.fromCores());
            double height = (BOTTOM - TOP) * bucket.share() / tallest;
            boolean beyond =
                    histogram.quotaCores() != null && bucket.fromCores() >= histogram.quotaCores();
            svg.append(
                    text(
                            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\""
                                    + " fill=\"%s\"><title>%.2f to %.2f cores: %.2f %%</title>"
                                    + "</rect>%n",
                            x,
                            BOTTOM - height,
                            Math.max(1, x(bucket.toCores()) - x - 0.5),
                            height,
                            beyond ? "#d55e00" : "#0072b2",
                            bucket.fromCores(),
                            bucket.toCores(),
                            100 * bucket.share()));
        }
        axis(svg, tallest);
        line(svg, histogram.quotaCores(), "quota", "#d55e00");
        line(svg, histogram.reservedCores(), "reserved", "#009e73");
        return svg.append("</svg>\n").toString();
    }

    private void axis(StringBuilder svg, double tallest) {
        svg.append(
                text(
                        "<line x1=\"%.0f\" y1=\"%.0f\" x2=\"%.0f\" y2=\"%.0f\""
                                + " stroke=\"#57606a\"/>%n",
                        LEFT, BOTTOM, WIDTH, BOTTOM));
        for (double cores = LEAST_CORES; cores <= most; cores *= 4) {
            svg.append(
                    label(
                            x(cores),
                            BOTTOM + 18,
                            cores < 1 ? text("1/%.0f", 1 / cores) : text("%.0f", cores)));
        }
        svg.append(label(LEFT - 25, TOP + 5, text("%.0f %%", 100 * tallest)));
        svg.append(label(WIDTH - 60, BOTTOM + 34, "used cores"));
    }

    private void line(StringBuilder svg, Double cores, String name, String colour) {
        if (cores == null) {
            return;
        }
        svg.append(
                text(
                        "<line x1=\"%.1f\" y1=\"%.0f\" x2=\"%.1f\" y2=\"%.0f\" stroke=\"%s\""
                                + " stroke-width=\"2\" stroke-dasharray=\"5 3\"/>%n",
                        x(cores), TOP - 8, x(cores), BOTTOM, colour));
        svg.append(label(x(cores) + 4, TOP, text("%s %.2f", name, cores)));
    }

    private static String label(double x, double y, String text) {
        return text(
                "<text x=\"%.1f\" y=\"%.1f\" font-size=\"12\" fill=\"#1b1f24\">%s</text>%n",
                x, y, HtmlPage.escaped(text));
    }

    private double x(double cores) {
        double share =
                Math.log(Math.max(least, Math.min(most, cores)) / least) / Math.log(most / least);
        return LEFT + share * (WIDTH - LEFT - 10);
    }

    private static String text(String format, Object... values) {
        return String.format(Locale.ROOT, format, values);
    }
}
