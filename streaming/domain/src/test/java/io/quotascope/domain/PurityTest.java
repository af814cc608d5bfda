package io.quotascope.domain;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The domain decides from its arguments alone; what would let it look elsewhere is banned with the
 * reason.
 */
class PurityTest {
    private static final Path SOURCES = Path.of("src/main/java");

    private static final Map<String, String> BANNED =
            Map.of(
                    "currentTimeMillis", "a clock: time is an argument",
                    "nanoTime", "a clock: time is an argument",
                    "Instant.now", "a clock: time is an argument",
                    "java.util.Random", "chance: a replay must give the same row",
                    "Math.random", "chance: a replay must give the same row",
                    "System.getenv", "a configuration: options are arguments",
                    "System.getProperty", "a configuration: options are arguments",
                    "java.io.", "input and output belong to jobs",
                    "Double.NaN", "absence is a type");

    @Test
    void theModuleRequiresNothingButTheLanguage() throws IOException {
        try (InputStream compiled =
                Files.newInputStream(Path.of("target/classes/module-info.class"))) {
            assertThat(ModuleDescriptor.read(compiled).requires())
                    .extracting(ModuleDescriptor.Requires::name)
                    .containsExactly("java.base");
        }
    }

    @Test
    void nothingReadsAClockChanceOrAConfiguration() throws IOException {
        for (Path source : sources()) {
            String text = Files.readString(source);
            BANNED.forEach(
                    (use, reason) ->
                            assertThat(text).as("%s: %s", source, reason).doesNotContain(use));
        }
    }

    @Test
    void everyPackageSaysWhatItIs() throws IOException {
        for (Path folder : sources().stream().map(Path::getParent).collect(Collectors.toSet())) {
            if (!folder.equals(SOURCES)) {
                assertThat(folder.resolve("package-info.java")).exists();
            }
        }
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> sources = files.filter(file -> file.toString().endsWith(".java")).toList();
            assertThat(sources).hasSizeGreaterThan(40);
            return sources;
        }
    }
}
