package io.quotascope.inputs;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.Shell;
import io.quotascope.inputs.text.Fields;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries that stand for themselves: a wrong one is told and left out, and the others are taken.
 *
 * @param sound what could be read
 * @param refused how many could not
 */
public record Rows<T>(List<T> sound, int refused) {
    /** Reads one entry. */
    public interface Reading<T> {
        T of(Fields fields) throws InvalidInputException;
    }

    /** Reads every entry and tells each fault in a line. */
    public static <T> Rows<T> of(List<Fields> entries, Reading<T> reading, PrintWriter errors) {
        List<T> sound = new ArrayList<>();
        int refused = 0;
        for (Fields each : entries) {
            try {
                sound.add(reading.of(each));
            } catch (InvalidInputException fault) {
                errors.println(fault.getMessage());
                refused++;
            }
        }
        return new Rows<>(sound, refused);
    }

    /** Exit status: 0, or 2 when something has to be corrected. */
    public int status() {
        return refused == 0 ? Shell.DONE : Shell.TO_CORRECT;
    }
}
