package io.quotascope.validate;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * What to validate and where to write it.
 *
 * @param population development or holdout
 * @param only parts to run
 * @param scale share of the population's full size, for a quick look
 * @param out file for the table; plots go beside it
 * @param traces folder of recorded traces
 */
record Options(String population, Set<String> only, double scale, Path out, Path traces) {
    static final Set<String> PARTS =
            Set.of("configuration", "rebuilt", "collapse", "ramp", "savings");

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException with one line that names the option and the remedy
     */
    static Options parse(String[] arguments) {
        Options read =
                new Options(
                        "development",
                        PARTS,
                        1,
                        Path.of("docs/model/validation.md"),
                        Path.of("collectors/testdata/traces"));
        for (int at = 0; at < arguments.length; at += 2) {
            if (at + 1 == arguments.length) {
                throw new IllegalArgumentException(arguments[at] + " needs a value");
            }
            read = read.with(arguments[at], arguments[at + 1]);
        }
        return read;
    }

    private Options with(String name, String value) {
        return switch (name) {
            case "--population" -> new Options(known(value), only, scale, out, traces);
            case "--only" -> new Options(population, parts(value), scale, out, traces);
            case "--scale" -> new Options(population, only, Double.parseDouble(value), out, traces);
            case "--out" -> new Options(population, only, scale, Path.of(value), traces);
            case "--traces" -> new Options(population, only, scale, out, Path.of(value));
            default ->
                    throw new IllegalArgumentException(
                            "no option "
                                    + name
                                    + "; there are --population --only --scale --out --traces");
        };
    }

    private static String known(String population) {
        if (!Set.of("development", "holdout").contains(population)) {
            throw new IllegalArgumentException(
                    "--population " + population + ": there are development and holdout");
        }
        return population;
    }

    private static Set<String> parts(String value) {
        Set<String> parts = Set.copyOf(List.of(value.split(",")));
        if (!PARTS.containsAll(parts)) {
            throw new IllegalArgumentException("--only " + value + ": there are " + PARTS);
        }
        return parts;
    }
}
