package io.quotascope.inputs.text;

import io.quotascope.console.InvalidInputException;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A file of entries of one kind: YAML with one list, or CSV with a line of names. What its name
 * ends with decides.
 *
 * @param top values beside the list; none in CSV
 * @param entries the entries
 */
public record InputFile(Fields top, List<Fields> entries) {

    /**
     * What a file may hold.
     *
     * @param list name of the list in YAML
     * @param beside names beside the list
     * @param known names of an entry
     * @param further names of an entry that follow a pattern
     */
    public record Form(
            String list, List<String> beside, List<String> known, Predicate<String> further) {
        /** A form of names only. */
        public static Form of(String list, List<String> beside, List<String> known) {
            return new Form(list, beside, known, name -> false);
        }

        boolean knows(String name) {
            return known.contains(name) || further.test(name);
        }

        String unknown(String name) {
            return "unknown field " + name + ", expected one of " + String.join(", ", known);
        }
    }

    /**
     * @throws InvalidInputException for a file that cannot be divided into entries, with file and
     *     line
     */
    public static InputFile read(Path path, Form form) throws IOException, InvalidInputException {
        String name = String.valueOf(path.getFileName());
        try (Reader text = Files.newBufferedReader(path)) {
            return name.toLowerCase(Locale.ROOT).endsWith(".csv")
                    ? csv(name, text, form)
                    : YamlEntries.read(name, text, form);
        } catch (MalformedInputException binary) {
            throw new InvalidInputException(name + ":1: not a text in UTF-8");
        }
    }

    /** The entries of a CSV text. */
    public static InputFile csv(String file, Reader text, Form form)
            throws IOException, InvalidInputException {
        List<CsvRows.Row> rows = CsvRows.read(file, text);
        if (rows.isEmpty()) {
            throw new InvalidInputException(
                    file + ":1: the file is empty, expected a line of names");
        }
        List<String> names = rows.get(0).cells().stream().map(String::strip).toList();
        for (String name : names) {
            if (!form.knows(name)) {
                throw new InvalidInputException(
                        file + ":" + rows.get(0).line() + ": " + form.unknown(name));
            }
            if (names.indexOf(name) != names.lastIndexOf(name)) {
                throw new InvalidInputException(
                        file + ":" + rows.get(0).line() + ": " + name + " is given a second time");
            }
        }
        List<Fields> entries = new ArrayList<>();
        for (CsvRows.Row row : rows.subList(1, rows.size())) {
            if (row.cells().size() != names.size()) {
                throw new InvalidInputException(
                        file
                                + ":"
                                + row.line()
                                + ": "
                                + row.cells().size()
                                + " values under "
                                + names.size()
                                + " names");
            }
            Map<String, Fields.Cell> cells = new LinkedHashMap<>();
            for (int column = 0; column < names.size(); column++) {
                String value = row.cells().get(column).strip();
                if (!value.isEmpty()) {
                    cells.put(names.get(column), new Fields.Cell(row.line(), Optional.of(value)));
                }
            }
            entries.add(new Fields(file, row.line(), cells));
        }
        return new InputFile(new Fields(file, 1, Map.of()), entries);
    }
}
