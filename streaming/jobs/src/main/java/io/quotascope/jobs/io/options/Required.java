package io.quotascope.jobs.io.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;

/** Reads of options that must be there; the error says which one is not. */
public final class Required {

    private Required() {}

    /**
     * @throws InvalidOptionException if the option has neither a value nor a default
     */
    public static <T> T get(ReadableConfig config, ConfigOption<T> option) {
        return config.getOptional(option)
                .or(
                        () ->
                                option.hasDefaultValue()
                                        ? java.util.Optional.of(option.defaultValue())
                                        : java.util.Optional.empty())
                .orElseThrow(
                        () ->
                                new InvalidOptionException(
                                        "option "
                                                + option.key()
                                                + " is missing; see docs/options"));
    }

    /**
     * The secret in the file that an option names: its text without trailing line ends.
     *
     * @throws InvalidOptionException if the file cannot be read
     */
    public static String secret(ReadableConfig config, ConfigOption<String> fileOption) {
        Path file = Path.of(get(config, fileOption));
        try {
            return Files.readString(file).stripTrailing();
        } catch (IOException e) {
            throw new InvalidOptionException(
                    "option " + fileOption.key() + ": cannot read " + file + ": " + e);
        }
    }

    /**
     * @throws InvalidOptionException if the value is below the bound
     */
    public static int atLeast(ReadableConfig config, ConfigOption<Integer> option, int bound) {
        int value = get(config, option);
        if (value < bound) {
            throw new InvalidOptionException(
                    "option " + option.key() + " must be at least " + bound + ", found " + value);
        }
        return value;
    }
}
