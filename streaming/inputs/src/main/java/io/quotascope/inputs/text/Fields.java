package io.quotascope.inputs.text;

import io.quotascope.console.InvalidInputException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;

/** Named values of one entry of a file, each fault of which is told with file, line and name. */
public final class Fields {
    private static final String NESTED = "a nested value";
    private static final int NO_LINE = 0;

    /**
     * What stands at a name.
     *
     * @param line where
     * @param text the value; absent when it is a list or mapping
     */
    record Cell(int line, Optional<String> text) {}

    private final String file;
    private final int line;
    private final Map<String, Cell> cells;

    Fields(String file, int line, Map<String, Cell> cells) {
        this.file = file;
        this.line = line;
        this.cells = new LinkedHashMap<>(cells);
    }

    /** The values of a command line, whose faults have no line. */
    public static Fields ofOptions(Map<String, String> values, InputFile.Form form)
            throws InvalidInputException {
        Map<String, Cell> cells = new LinkedHashMap<>();
        for (Map.Entry<String, String> each : values.entrySet()) {
            if (!form.knows(each.getKey())) {
                throw new InvalidInputException("command line: " + form.unknown(each.getKey()));
            }
            cells.put(each.getKey(), new Cell(NO_LINE, Optional.of(each.getValue())));
        }
        return new Fields("command line", NO_LINE, cells);
    }

    /** Where the entry begins. */
    public int line() {
        return line;
    }

    /** Names that have a value. */
    public Set<String> names() {
        return cells.keySet();
    }

    /** Text that must be there. */
    public String requiredText(String name) throws InvalidInputException {
        return text(name).orElseThrow(() -> missing(name));
    }

    /** Text; absent when nothing is said. */
    public Optional<String> text(String name) throws InvalidInputException {
        Cell cell = cells.get(name);
        if (cell == null) {
            return Optional.empty();
        }
        if (cell.text().isEmpty() || cell.text().get().isBlank()) {
            throw fault(name, name + " must be text");
        }
        return cell.text();
    }

    /** A whole number from least to most. */
    public OptionalLong number(String name, long least, long most) throws InvalidInputException {
        Cell cell = cells.get(name);
        if (cell == null) {
            return OptionalLong.empty();
        }
        String found = cell.text().orElse(NESTED);
        try {
            long value = Long.parseLong(found);
            if (value >= least && value <= most) {
                return OptionalLong.of(value);
            }
        } catch (NumberFormatException e) {
            // Told below in one sentence with the range.
        }
        String bound =
                most == Long.MAX_VALUE ? " of at least " + least : " from " + least + " to " + most;
        throw fault(name, name + " must be a whole number" + bound + ", found " + found);
    }

    /** A number from least to most. */
    public OptionalDouble decimal(String name, double least, double most)
            throws InvalidInputException {
        Cell cell = cells.get(name);
        if (cell == null) {
            return OptionalDouble.empty();
        }
        String found = cell.text().orElse(NESTED);
        try {
            double value = Double.parseDouble(found);
            if (value >= least && value <= most) {
                return OptionalDouble.of(value);
            }
        } catch (NumberFormatException e) {
            // Told below in one sentence with the range.
        }
        throw fault(
                name,
                name + " must be a number from " + least + " to " + most + ", found " + found);
    }

    /** True or false. */
    public Optional<Boolean> truth(String name) throws InvalidInputException {
        Cell cell = cells.get(name);
        if (cell == null) {
            return Optional.empty();
        }
        return switch (cell.text().orElse(NESTED)) {
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default ->
                    throw fault(
                            name,
                            name + " must be true or false, found " + cell.text().orElse(NESTED));
        };
    }

    /** An instant, microseconds since the Unix epoch. */
    public OptionalLong instantUs(String name) throws InvalidInputException {
        Cell cell = cells.get(name);
        if (cell == null) {
            return OptionalLong.empty();
        }
        String found = cell.text().orElse(NESTED);
        try {
            return OptionalLong.of(instantUsOf(found));
        } catch (DateTimeParseException | ArithmeticException e) {
            throw fault(
                    name,
                    name
                            + " must be an instant such as 2026-11-22T10:00:00Z or a day, found "
                            + found);
        }
    }

    /**
     * The instant of a text: ISO 8601 with its zone, or a day, which begins at midnight UTC.
     *
     * @throws DateTimeParseException when it is neither
     */
    public static long instantUsOf(String text) {
        Instant instant =
                text.length() == "2026-11-22".length()
                        ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
                        : Instant.parse(text);
        return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
    }

    /** One of some words. */
    public Optional<String> oneOf(String name, List<String> words) throws InvalidInputException {
        Optional<String> found = text(name);
        if (found.isPresent() && !words.contains(found.get())) {
            throw fault(
                    name,
                    name
                            + " must be one of "
                            + String.join(", ", words)
                            + ", found "
                            + found.get());
        }
        return found;
    }

    /** What the domain makes of the fields; what it refuses is a fault of the entry. */
    public <T> T made(Supplier<T> making) throws InvalidInputException {
        try {
            return making.get();
        } catch (IllegalArgumentException refused) {
            throw new InvalidInputException(place(line) + refused.getMessage());
        }
    }

    /** A value that is not there and must be. */
    public InvalidInputException missing(String name) {
        return new InvalidInputException(place(line) + name + " is missing");
    }

    /** A value that must be corrected. */
    public InvalidInputException fault(String name, String what) {
        Cell cell = cells.get(name);
        return new InvalidInputException(place(cell == null ? line : cell.line()) + what);
    }

    private String place(int at) {
        return file + (at == NO_LINE ? ": " : ":" + at + ": ");
    }
}
