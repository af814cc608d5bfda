package io.quotascope.validate.score;

import java.util.ArrayList;
import java.util.List;

/** Rows and points of one validation, in order. */
public final class Findings {
    private final List<Row> rows = new ArrayList<>();
    private final List<Point> points = new ArrayList<>();

    void add(Row row) {
        rows.add(row);
    }

    void add(Point point) {
        points.add(point);
    }

    /** The table's lines. */
    public List<Row> rows() {
        return List.copyOf(rows);
    }

    /** The plots' points. */
    public List<Point> points() {
        return List.copyOf(points);
    }
}
