package io.quotascope.inputs.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.console.InvalidInputException;
import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.CharRange;
import net.jqwik.api.constraints.StringLength;

class InputFileTest {
    private static final InputFile.Form FORM =
            InputFile.Form.of("rows", List.of("note"), List.of("a", "b"));

    private static InputFile csv(String text) throws IOException, InvalidInputException {
        return InputFile.csv("f.csv", new StringReader(text), FORM);
    }

    private static InputFile yaml(String text) throws InvalidInputException {
        return YamlEntries.read("f.yaml", new StringReader(text), FORM);
    }

    /** Whatever stands in a file: entries, or one sentence with file and line. */
    @Property(tries = 2000)
    void anyTextIsReadOrRefusedWithItsLine(
            @ForAll @StringLength(max = 40) @CharRange(from = 'a', to = 'c') String letters,
            @ForAll @StringLength(max = 60) String any,
            @ForAll
                    @StringLength(max = 40)
                    @net.jqwik.api.constraints.Chars({
                        'a', 'b', '"', ',', '\n', '#', ':', '-', ' ', '['
                    })
                    String marks)
            throws IOException {
        for (String text : List.of(letters, any, marks, "a,b\n" + marks, "rows:\n" + marks)) {
            try {
                csv(text).entries().forEach(row -> assertThat(row.line()).isPositive());
            } catch (InvalidInputException told) {
                assertThat(told.getMessage()).matches("(?s)f\\.csv:\\d+: .+");
            }
            try {
                yaml(text).entries().forEach(row -> assertThat(row.line()).isPositive());
            } catch (InvalidInputException told) {
                assertThat(told.getMessage()).matches("(?s)f\\.yaml:\\d+: .+");
            }
        }
    }

    @Example
    void quotedValuesHoldCommasQuotesAndLines() throws Exception {
        InputFile file = csv("a,b\r\n\"x, \"\"y\"\"\",2\n# left out\n\n\"1\n2\",\n3,4");
        assertThat(file.entries()).extracting(Fields::line).containsExactly(2, 5, 7);
        assertThat(file.entries().get(0).text("a")).contains("x, \"y\"");
        assertThat(file.entries().get(1).text("a")).contains("1\n2");
        assertThat(file.entries().get(1).text("b")).isEmpty();
    }

    @Example
    void faultsOfTablesNameTheirLine() {
        refusesCsv("", "f.csv:1: the file is empty");
        refusesCsv("a,c\n", "f.csv:1: unknown field c, expected one of a, b");
        refusesCsv("a,a\n", "f.csv:1: a is given a second time");
        refusesCsv("a,b\n1\n", "f.csv:2: 1 values under 2 names");
        refusesCsv("a,b\n\"1,2\n", "f.csv:2: a quoted value is not closed");
        refusesCsv("a,b\n\"1\"x,2\n", "f.csv:2: text follows a closed quote");
    }

    private static void refusesCsv(String text, String message) {
        assertThatThrownBy(() -> csv(text))
                .isInstanceOf(InvalidInputException.class)
                .hasMessageStartingWith(message);
    }

    @Example
    void valuesAreToldWithTheirRange() throws Exception {
        Fields row = yaml("rows:\n  - a: 1.5\n    b: 2026-11-22T10:00:00").entries().get(0);
        assertThatThrownBy(() -> row.number("a", 0, 9))
                .hasMessage("f.yaml:2: a must be a whole number from 0 to 9, found 1.5");
        assertThatThrownBy(() -> row.instantUs("b"))
                .hasMessageStartingWith("f.yaml:3: b must be an instant such as");
        assertThat(row.decimal("a", 0, 2)).hasValue(1.5);
        assertThatThrownBy(() -> row.decimal("a", 2, 3)).hasMessageContaining("from 2.0 to 3.0");
        assertThat(Fields.instantUsOf("1970-01-02")).isEqualTo(86_400_000_000L);
    }
}
