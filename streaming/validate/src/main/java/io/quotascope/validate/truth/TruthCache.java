package io.quotascope.validate.truth;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.stream.Stream;

/**
 * Numbers that cost seconds to simulate, kept in a file beside the class files. The key holds the
 * whole question and a digest of the simulator's own class files, so that a changed simulator asks
 * anew.
 */
public final class TruthCache {
    private final Path file;
    private final String simulator;
    private final Map<String, Double> known = new ConcurrentHashMap<>();

    /** Reads what is known; a missing file is empty. */
    public TruthCache(Path file) {
        this.file = file;
        simulator = simulatorDigest();
        if (Files.exists(file)) {
            for (String line : readLines(file)) {
                int split = line.indexOf(' ');
                known.put(line.substring(0, split), Double.valueOf(line.substring(split + 1)));
            }
        }
    }

    /** The answer to a question, from the file or by asking. */
    public double ask(String question, DoubleSupplier simulate) {
        String key = digest((simulator + question).getBytes(StandardCharsets.UTF_8));
        Double answer = known.get(key);
        if (answer == null) {
            answer = simulate.getAsDouble();
            known.put(key, answer);
            append(key + ' ' + answer + '\n');
        }
        return answer;
    }

    private synchronized void append(String line) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot write " + file, failure);
        }
    }

    private static List<String> readLines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read " + file, failure);
        }
    }

    private static String simulatorDigest() {
        try {
            URI place =
                    io.quotascope.domain.cfs.CfsSimulator.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI();
            Path root = Path.of(place);
            if (!Files.isDirectory(root)) {
                return digest(Files.readAllBytes(root));
            }
            MessageDigest all = MessageDigest.getInstance("SHA-256");
            try (Stream<Path> classes = Files.walk(root.resolve("io/quotascope/domain/cfs"))) {
                for (Path each : classes.filter(Files::isRegularFile).sorted().toList()) {
                    all.update(Files.readAllBytes(each));
                }
            }
            return HexFormat.of().formatHex(all.digest());
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read the simulator's class files", failure);
        } catch (URISyntaxException | NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
