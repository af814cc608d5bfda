package io.quotascope.domain.golden;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.quotascope.domain.histogram.BucketCounts;
import io.quotascope.domain.histogram.BucketLayout;
import io.quotascope.domain.histogram.BucketTally;
import io.quotascope.domain.histogram.PackedBytes;
import io.quotascope.domain.histogram.RatioLayout;
import io.quotascope.domain.histogram.RunnableLayout;
import io.quotascope.domain.histogram.ThreadsLayout;
import io.quotascope.domain.histogram.UsageLayout;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;

/** Reads schemas/golden. A missing file or an empty one fails. */
public final class GoldenVectors {
    private static final Path FOLDER = Path.of("../../schemas/golden");

    private GoldenVectors() {}

    /** One test for each vector of a file; the check takes its input and its expectation. */
    public static Stream<DynamicTest> tests(String file, BiConsumer<JsonNode, JsonNode> check) {
        JsonNode vectors = read(file).path("vectors");
        if (vectors.isEmpty()) {
            throw new IllegalStateException(file + " holds no vectors");
        }
        return StreamSupport.stream(vectors.spliterator(), false)
                .map(
                        vector ->
                                DynamicTest.dynamicTest(
                                        vector.path("name").asText()
                                                + ": "
                                                + vector.path("why").asText(),
                                        () ->
                                                check.accept(
                                                        vector.required("input"),
                                                        vector.required("expect"))));
    }

    private static JsonNode read(String file) {
        try {
            return new ObjectMapper().readTree(FOLDER.resolve(file).toFile());
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    public static BucketLayout layout(JsonNode input) {
        String layout = input.required("layout").asText();
        return switch (layout) {
            case "usage" -> UsageLayout.V1;
            case "threads" -> ThreadsLayout.INSTANCE;
            case "ratio" -> RatioLayout.INSTANCE;
            case "runnable" -> RunnableLayout.INSTANCE;
            default -> throw new IllegalArgumentException("no layout " + layout);
        };
    }

    public static BucketCounts counts(JsonNode counts) {
        BucketTally tally = new BucketTally();
        counts.fields()
                .forEachRemaining(
                        entry ->
                                tally.add(
                                        Integer.parseInt(entry.getKey()),
                                        entry.getValue().longValue()));
        return tally.toCounts();
    }

    public static PackedBytes packed(JsonNode hexadecimal) {
        return PackedBytes.of(HexFormat.of().parseHex(hexadecimal.asText()));
    }

    public static OptionalLong optionalLong(JsonNode value) {
        return value.isNull() ? OptionalLong.empty() : OptionalLong.of(value.longValue());
    }

    public static OptionalDouble optionalDouble(JsonNode value) {
        return value.isNull() ? OptionalDouble.empty() : OptionalDouble.of(value.doubleValue());
    }
}
