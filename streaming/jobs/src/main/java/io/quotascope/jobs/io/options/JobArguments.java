package io.quotascope.jobs.io.options;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;

/**
 * Reads {@code --config FILE} (a properties file) and {@code --key value} pairs, which win over the
 * file. One file may serve all jobs: a key of another job's group is accepted, a key of no group is
 * an error that names it.
 */
public final class JobArguments {

    private static final String CONFIG = "config";

    private JobArguments() {}

    /**
     * @throws InvalidOptionException if an argument is not of the form {@code --key value}, a key
     *     is unknown, the file cannot be read, or a value has the wrong type
     */
    public static Configuration parse(String... args) {
        Map<String, String> given = pairs(args);
        Map<String, String> values = new TreeMap<>();
        String file = given.remove(CONFIG);
        if (file != null) {
            values.putAll(read(Path.of(file)));
        }
        values.putAll(given);
        Map<String, ConfigOption<?>> known = known();
        for (String key : values.keySet()) {
            if (!known.containsKey(key)) {
                throw new InvalidOptionException(
                        "unknown option " + key + nearest(key, known) + "; see docs/options");
            }
        }
        Configuration configuration = Configuration.fromMap(values);
        for (String key : values.keySet()) {
            checkType(configuration, known.get(key));
        }
        return configuration;
    }

    /** Every option of every group by key. */
    static Map<String, ConfigOption<?>> known() {
        Map<String, ConfigOption<?>> known = new TreeMap<>();
        for (OptionGroup group : groups()) {
            for (ConfigOption<?> option : group.options()) {
                if (known.put(option.key(), option) != null) {
                    throw new IllegalStateException("two groups state option " + option.key());
                }
            }
        }
        return known;
    }

    /** Every group on the class path of this class. */
    static Iterable<OptionGroup> groups() {
        return ServiceLoader.load(OptionGroup.class, OptionGroup.class.getClassLoader());
    }

    private static Map<String, String> pairs(String[] args) {
        Map<String, String> given = new LinkedHashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            if (!args[i].startsWith("--") || args[i].length() == 2) {
                throw new InvalidOptionException("expected --key value, found " + args[i]);
            }
            if (i + 1 == args.length) {
                throw new InvalidOptionException("option " + args[i] + " has no value");
            }
            given.put(args[i].substring(2), args[i + 1]);
        }
        return given;
    }

    private static Map<String, String> read(Path file) {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        } catch (NoSuchFileException e) {
            throw new InvalidOptionException("option --config: there is no file " + file);
        } catch (IOException e) {
            throw new InvalidOptionException("option --config: cannot read " + file + ": " + e);
        }
        Map<String, String> values = new TreeMap<>();
        properties
                .stringPropertyNames()
                .forEach(key -> values.put(key, properties.getProperty(key)));
        return values;
    }

    private static void checkType(Configuration configuration, ConfigOption<?> option) {
        try {
            configuration.getOptional(option);
        } catch (IllegalArgumentException e) {
            throw new InvalidOptionException(
                    "option "
                            + option.key()
                            + " cannot be "
                            + configuration.toMap().get(option.key())
                            + ": "
                            + e.getMessage());
        }
    }

    /** A hint for a misspelt key: the known keys that share its last word. */
    private static String nearest(String key, Map<String, ConfigOption<?>> known) {
        String last = key.substring(key.lastIndexOf('.') + 1);
        TreeSet<String> close = new TreeSet<>();
        for (String candidate : known.keySet()) {
            if (candidate.endsWith(last)
                    || candidate
                            .replaceAll("[.-]", "")
                            .equalsIgnoreCase(key.replaceAll("[.-]", ""))) {
                close.add(candidate);
            }
        }
        return close.isEmpty() ? "" : " (is it " + String.join(" or ", close) + "?)";
    }
}
