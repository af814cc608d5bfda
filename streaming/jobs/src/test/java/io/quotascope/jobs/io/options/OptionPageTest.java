package io.quotascope.jobs.io.options;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.junit.jupiter.api.Test;

/** {@code docs/options} says what the declarations say, and every declaration says enough. */
class OptionPageTest {
    private static final Path PAGES = Path.of("../../docs/options");
    private static final boolean UPDATE = Boolean.getBoolean("golden.update");

    @Test
    void everyGroupHasItsPage() throws Exception {
        Set<String> names = new TreeSet<>();
        for (OptionGroup group : JobArguments.groups()) {
            Path page = PAGES.resolve(group.name() + ".md");
            names.add(group.name() + ".md");
            if (UPDATE) {
                Files.createDirectories(PAGES);
                Files.writeString(page, OptionPage.of(group));
            }
            assertThat(page).exists().content().isEqualTo(OptionPage.of(group));
        }
        assertThat(names).hasSizeGreaterThan(4);
        try (Stream<Path> pages = Files.list(PAGES)) {
            assertThat(pages.map(page -> page.getFileName().toString()))
                    .as("no page of a group that is gone")
                    .allMatch(names::contains);
        }
    }

    @Test
    void everyOptionIsDescribedAndNumbersSayTheirUnit() {
        List<String> silent = new ArrayList<>();
        for (ConfigOption<?> option : JobArguments.known().values()) {
            String text = new HtmlFormatter().format(option.description());
            boolean number = Set.of("integer", "number").contains(OptionPage.type(option));
            boolean unit =
                    Stream.of(
                                    "count",
                                    "bytes",
                                    "0..1",
                                    "cores",
                                    "core",
                                    "Minutes",
                                    "Unit: ",
                                    "multiple")
                            .anyMatch(text::contains);
            if (!text.endsWith(".") || text.length() < 20 || number && !unit) {
                silent.add(option.key() + ": " + text);
            }
        }
        assertThat(silent).isEmpty();
    }
}
