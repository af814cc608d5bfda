package io.quotascope.validate.kernel;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Prints how far the simulator is from recordings: see {@code make validate-kernel}. */
public final class ValidateKernel {
    private ValidateKernel() {}

    /** Arguments: the file of recordings and, if wanted, a file for the table. */
    public static void main(String[] arguments) throws IOException {
        if (arguments.length < 1 || arguments.length > 2) {
            System.err.println(
                    "validate-kernel: want a file of recordings and perhaps one for the table");
            System.exit(2);
        }
        List<KernelRun> runs = KernelRun.read(Path.of(arguments[0]));
        KernelComparison comparison = KernelComparison.of(runs);
        String text =
                "# The simulator against kernel "
                        + runs.get(0).release()
                        + "\n\nFor whoever asks how true the simulator is. Written by `make validate-kernel` from live runs of real cgroups.\n\n"
                        + comparison.summary()
                        + ".\n\n"
                        + comparison.table();
        System.out.print(text);
        if (arguments.length == 2) {
            Files.writeString(Path.of(arguments[1]), text);
        }
    }
}
