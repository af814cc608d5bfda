package io.quotascope.validate;

import io.quotascope.validate.population.Development;
import io.quotascope.validate.population.Subject;
import java.util.ArrayList;
import java.util.List;

/**
 * Which of the development services that may collapse are judged: two blocks of {@value #BLOCK}.
 * Constants are fitted on the {@value #BETWEEN} between them, and on those after them if more are
 * wanted, so that no judged service takes part in a fit.
 */
public final class Judged {
    /** Services of one block. */
    public static final int BLOCK = 80;

    /** Services between the blocks. */
    public static final int BETWEEN = 120;

    private static final int SECOND = BLOCK + BETWEEN;

    private Judged() {}

    /** Services that must be drawn to judge so many of each block. */
    static int drawn(int each) {
        return SECOND + each;
    }

    /** The judged ones among those drawn, so many of each block. */
    static List<Subject> among(List<Subject> drawn, int each) {
        List<Subject> judged = new ArrayList<>(drawn.subList(0, each));
        judged.addAll(drawn.subList(SECOND, SECOND + each));
        return judged;
    }

    /** So many that are not judged, always the same ones first. */
    public static List<Subject> others(int count) {
        int between = Math.min(BETWEEN, count);
        int after = SECOND + BLOCK;
        List<Subject> drawn = Development.of(0, after + count - between, 0).collapsible();
        List<Subject> others = new ArrayList<>(drawn.subList(BLOCK, BLOCK + between));
        others.addAll(drawn.subList(after, after + count - between));
        return others;
    }
}
