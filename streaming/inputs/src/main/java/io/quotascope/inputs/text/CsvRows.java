package io.quotascope.inputs.text;

import io.quotascope.console.InvalidInputException;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of comma-separated values as RFC 4180 describes them: a value in double quotes may hold
 * commas, line ends and doubled quotes. Empty lines and lines that begin with # are left out.
 */
final class CsvRows {
    /**
     * One row.
     *
     * @param line where it begins
     * @param cells its values
     */
    record Row(int line, List<String> cells) {}

    private final String file;
    private final List<Row> rows = new ArrayList<>();
    private final StringBuilder cell = new StringBuilder();
    private List<String> cells = new ArrayList<>();
    private int line = 1;
    private int rowLine = 1;
    private int quoteLine = 1;
    private boolean quoted;
    private boolean closed;

    private CsvRows(String file) {
        this.file = file;
    }

    static List<Row> read(String file, Reader text) throws IOException, InvalidInputException {
        CsvRows csv = new CsvRows(file);
        int next = text.read();
        while (next != -1) {
            char c = (char) next;
            next = text.read();
            if (csv.quoted && c == '"' && next == '"') {
                csv.cell.append('"');
                next = text.read();
            } else {
                csv.take(c);
            }
        }
        if (csv.quoted) {
            throw new InvalidInputException(
                    file + ":" + csv.quoteLine + ": a quoted value is not closed");
        }
        csv.endRow();
        return csv.rows;
    }

    private void take(char c) throws InvalidInputException {
        if (quoted) {
            if (c == '"') {
                quoted = false;
                closed = true;
            } else {
                cell.append(c);
            }
        } else if (c == ',') {
            endCell();
        } else if (c == '\n') {
            endRow();
            rowLine = line + 1;
        } else if (c == '"' && cell.toString().isBlank() && !closed) {
            cell.setLength(0);
            quoted = true;
            quoteLine = line;
        } else if (c != '\r' && !(c == '\uFEFF' && line == 1)) {
            if (closed && c != ' ') {
                throw new InvalidInputException(
                        file
                                + ":"
                                + line
                                + ": text follows a closed quote; double the quotes in it");
            }
            cell.append(closed ? "" : c);
        }
        if (c == '\n') {
            line++;
        }
    }

    private void endCell() {
        cells.add(cell.toString());
        cell.setLength(0);
        closed = false;
    }

    private void endRow() {
        boolean left = cells.isEmpty() && (cell.toString().isBlank() || cell.charAt(0) == '#');
        endCell();
        if (!left) {
            rows.add(new Row(rowLine, List.copyOf(cells)));
        }
        cells = new ArrayList<>();
    }
}
