package io.quotascope.analyze;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Usage slices as comma-separated text, from any source. Lines that begin with # and empty lines
 * are skipped; the first other line names the columns, in any order:
 *
 * <pre>
 * usage_us | usage_ns | used_cores   one of them is required
 * elapsed_us | elapsed_ns            length of the slice; 10 ms without it
 * slot                               number of the slice; counted up without it
 * runnable_threads, periods, throttled_periods, throttled_us   where measured
 * </pre>
 *
 * Other columns are ignored, so that files of other tools need no cutting.
 */
final class SliceFile {
    private static final long NS_PER_US = 1_000;
    private static final double NS_MAX = 1e15;
    private static final Set<String> USAGE = Set.of("usage_us", "usage_ns", "used_cores");

    private final String name;
    private final long intervalNs;
    private Map<String, Integer> columns = Map.of();
    private int line;

    private SliceFile(String name, long intervalNs) {
        this.name = name;
        this.intervalNs = intervalNs;
    }

    /**
     * Reads a file to its end.
     *
     * @param intervalUs length of slices that state none
     */
    static List<Slice> read(String name, BufferedReader text, long intervalUs)
            throws IOException, UnusableInputException {
        return new SliceFile(name, intervalUs * NS_PER_US).slices(text);
    }

    private List<Slice> slices(BufferedReader text) throws IOException, UnusableInputException {
        List<Slice> slices = new ArrayList<>();
        for (String row = text.readLine(); row != null; row = text.readLine()) {
            line++;
            if (line == 1 && row.startsWith("# quotascope-")) {
                throw new UnusableInputException(
                        name,
                        "this is a recording; make windows of it first: cgroupreplay windows --avro "
                                + name
                                + " > windows.avro");
            }
            if (row.isBlank() || row.startsWith("#")) {
                continue;
            }
            if (columns.isEmpty()) {
                columns = header(row);
            } else {
                slices.add(slice(row, slices));
            }
        }
        if (slices.isEmpty()) {
            throw new UnusableInputException(
                    name, "no slices; expected a line of column names and one line a slice");
        }
        return slices;
    }

    private Map<String, Integer> header(String row) throws UnusableInputException {
        Map<String, Integer> found = new LinkedHashMap<>();
        String[] names = row.split(",", -1);
        for (int column = 0; column < names.length; column++) {
            if (found.put(names[column].strip(), column) != null) {
                throw fault("column " + names[column].strip() + " is named twice");
            }
        }
        if (found.keySet().stream().filter(USAGE::contains).count() != 1) {
            throw fault(
                    "expected exactly one of the columns usage_us, usage_ns, used_cores; found "
                            + String.join(", ", found.keySet()));
        }
        return found;
    }

    private Slice slice(String row, List<Slice> before) throws UnusableInputException {
        String[] cells = row.split(",", -1);
        if (cells.length != columns.size()) {
            throw fault(cells.length + " cells where " + columns.size() + " columns are named");
        }
        long last = before.isEmpty() ? -1 : before.get(before.size() - 1).slot();
        long slot = columns.containsKey("slot") ? whole(cells, "slot").orElse(last + 1) : last + 1;
        if (slot <= last) {
            throw fault("slot " + slot + " after slot " + last + "; slots must rise");
        }
        long elapsedNs = elapsedNs(cells);
        return new Slice(
                slot,
                usageNs(cells, elapsedNs),
                elapsedNs,
                whole(cells, "runnable_threads"),
                whole(cells, "periods"),
                whole(cells, "throttled_periods"),
                whole(cells, "throttled_us"));
    }

    private long elapsedNs(String[] cells) throws UnusableInputException {
        double elapsed = intervalNs;
        if (columns.containsKey("elapsed_us")) {
            elapsed = number(cells, "elapsed_us") * NS_PER_US;
        } else if (columns.containsKey("elapsed_ns")) {
            elapsed = number(cells, "elapsed_ns");
        }
        if (elapsed < 1) {
            throw fault("a slice must take time");
        }
        return Math.round(elapsed);
    }

    private long usageNs(String[] cells, long elapsedNs) throws UnusableInputException {
        if (columns.containsKey("usage_ns")) {
            return Math.round(number(cells, "usage_ns"));
        }
        if (columns.containsKey("usage_us")) {
            return Math.round(number(cells, "usage_us") * NS_PER_US);
        }
        return Math.round(number(cells, "used_cores") * elapsedNs);
    }

    private OptionalLong whole(String[] cells, String column) throws UnusableInputException {
        Integer at = columns.get(column);
        if (at == null || cells[at].isBlank()) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Math.round(number(cells, column)));
    }

    private double number(String[] cells, String column) throws UnusableInputException {
        String cell = cells[columns.get(column)].strip();
        double value;
        try {
            value = Double.parseDouble(cell);
        } catch (NumberFormatException notNumber) {
            throw fault(column + " is not a number: \"" + cell + '"');
        }
        if (!(value >= 0 && value < NS_MAX)) {
            throw fault(column + " is out of range: " + cell);
        }
        return value;
    }

    private UnusableInputException fault(String what) {
        return new UnusableInputException(name, line, what);
    }
}
