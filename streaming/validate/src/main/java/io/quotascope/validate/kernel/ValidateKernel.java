package io.quotascope.validate.kernel;

import io.quotascope.validate.estimate.Estimator;
import io.quotascope.validate.estimators.Registry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Holds the simulator and the estimators against recordings of a real kernel: see {@code make
 * validate-kernel}.
 */
public final class ValidateKernel {
    private ValidateKernel() {}

    /** Arguments: a folder with simulator.txt, changes.txt, collapse.txt (any), a file to write. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 2) {
            System.err.println("validate-kernel: want a folder of recordings and a file to write");
            System.exit(2);
        }
        Path folder = Path.of(arguments[0]);
        List<Estimator> estimators = Registry.all();
        StringBuilder text =
                new StringBuilder(
                        "# Validation: a real kernel\n\n"
                                + "For whoever asks how true the simulator is and what came of what was foretold. Written by `make validate-kernel` from runs of real cgroups "
                                + "([collectors/internal/lab/kernelrun](../../collectors/internal/lab/kernelrun/plan.go)).\nOthers, cores: what else ran on the machine during a run, own clients included; a run is disturbed above 0.25 and repeated once while there is time.\n");
        if (Files.exists(folder.resolve("simulator.txt"))) {
            List<KernelRun> runs = KernelFile.read(folder.resolve("simulator.txt"));
            KernelComparison comparison = KernelComparison.of(runs);
            text.append("\n## The simulator, kernel ")
                    .append(runs.get(0).release().replaceFirst("-.*", ""))
                    .append("\n\n");
            text.append(comparison.verdict()).append(comparison.table());
        }
        if (Files.exists(folder.resolve("changes.txt"))) {
            text.append("\n## Throttled period ratio after real changes\n\n");
            text.append(
                    KernelChanges.report(
                            KernelFile.read(folder.resolve("changes.txt")), estimators));
        }
        if (Files.exists(folder.resolve("collapse.txt"))) {
            text.append("\n## Collapse at rising load\n\n");
            text.append(
                    KernelCollapse.report(
                            KernelFile.read(folder.resolve("collapse.txt")), estimators));
        }
        System.out.print(text);
        Files.writeString(Path.of(arguments[1]), text);
    }
}
