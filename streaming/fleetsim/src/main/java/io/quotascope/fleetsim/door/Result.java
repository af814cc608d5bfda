package io.quotascope.fleetsim.door;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** What another thread made, or what broke it. */
final class Result {
    private Result() {}

    /** Waits for it. A failure is thrown here as it was thrown there. */
    static <T> T of(Future<T> made) throws InterruptedException {
        try {
            return made.get();
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(failed.getCause());
        }
    }
}
