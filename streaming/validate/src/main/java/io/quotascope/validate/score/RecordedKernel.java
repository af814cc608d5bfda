package io.quotascope.validate.score;

import io.quotascope.validate.kernel.KernelComparison;
import io.quotascope.validate.kernel.KernelFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;

/** The simulator against the committed recordings of a real kernel. */
public final class RecordedKernel {
    private RecordedKernel() {}

    /**
     * Two rows.
     *
     * @throws IOException when the recordings cannot be read
     */
    public static void score(Path recordings, Findings findings) throws IOException {
        KernelComparison comparison = KernelComparison.of(KernelFile.read(recordings));
        double ratio = 100 * comparison.ratioError();
        findings.add(
                row(
                        "simulator against kernel: throttled period ratio, mean abs error",
                        String.format(
                                Locale.ROOT,
                                "%.1f pp (largest %.1f)",
                                ratio,
                                100 * comparison.ratioErrorMax()),
                        "<= 5 pp",
                        ratio <= 5,
                        comparison.patient()));
        double latency = 100 * comparison.latencyError()[2];
        findings.add(
                row(
                        "simulator against kernel: p99 latency, median error",
                        String.format(Locale.ROOT, "%.0f %%", latency),
                        "<= 25 %",
                        latency <= 25,
                        comparison.patient()));
    }

    private static Row row(String quantity, String text, String must, boolean met, int answered) {
        return new Row(
                quantity,
                "kernel",
                "recordings",
                "simulator",
                text,
                must,
                met ? "met" : "missed",
                answered);
    }
}
