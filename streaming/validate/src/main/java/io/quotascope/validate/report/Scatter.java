package io.quotascope.validate.report;

import io.quotascope.validate.score.Point;
import java.util.List;
import java.util.Locale;

/** Estimates over truths as an SVG, with the diagonal on which they would agree. */
public final class Scatter {
    private static final int SIDE = 320;
    private static final int LEFT = 46;
    private static final int TOP = 26;
    private static final List<String> COLOURS =
            List.of("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#8c564b", "#7f7f7f");

    private Scatter() {}

    /** One plot of points. */
    public static String svg(String title, List<Point> points) {
        double most = 1e-9;
        for (Point point : points) {
            most = Math.max(most, point.truth());
        }
        double scale = 1.05 * most;
        List<String> series = points.stream().map(Point::series).distinct().toList();
        StringBuilder svg = new StringBuilder();
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"11\">%n",
                        LEFT + SIDE + 20,
                        TOP + SIDE + 44 + 14 * series.size()));
        svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"16\">%s</text>%n", LEFT, title));
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>%n",
                        LEFT,
                        TOP,
                        SIDE,
                        SIDE));
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"#999\"/>%n",
                        LEFT,
                        TOP + SIDE,
                        LEFT + SIDE,
                        TOP));
        axis(svg, scale);
        for (Point point : points) {
            double x = LEFT + SIDE * point.truth() / scale;
            double y = TOP + SIDE * (1 - Math.min(1, Math.max(0, point.estimate() / scale)));
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\" fill=\"%s\" fill-opacity=\"0.5\"/>%n",
                            x,
                            y,
                            colour(series.indexOf(point.series()))));
        }
        for (int one = 0; one < series.size(); one++) {
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>%n",
                            LEFT,
                            TOP + SIDE + 40 + 14 * one,
                            colour(one),
                            series.get(one)));
        }
        return svg.append("</svg>\n").toString();
    }

    private static void axis(StringBuilder svg, double scale) {
        for (int part = 0; part <= 4; part++) {
            double value = scale * part / 4;
            int at = SIDE * part / 4;
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%.2f</text>%n",
                            LEFT + at,
                            TOP + SIDE + 14,
                            value));
            svg.append(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.2f</text>%n",
                            LEFT - 4,
                            TOP + SIDE - at + 4,
                            value));
        }
        svg.append(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">truth</text>%n",
                        LEFT + SIDE,
                        TOP + SIDE + 26));
    }

    private static String colour(int series) {
        return COLOURS.get(series % COLOURS.size());
    }
}
