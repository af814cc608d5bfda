package io.quotascope.fleetsim.door;

import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.minute.RawMinutes.HostSend;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongFunction;

/**
 * What is sent minute by minute. The next minute is made while one is sent, so that sending never
 * waits for it.
 */
final class MinutesAhead implements AutoCloseable {
    private final LongFunction<List<List<HostSend>>> sends;
    private final ExecutorService maker = Executors.newSingleThreadExecutor();
    private List<List<HostSend>> now = List.of();
    private long nowUs = -1;
    private Future<List<List<HostSend>>> next;
    private long nextUs;

    MinutesAhead(LongFunction<List<List<HostSend>>> sends, long firstMinuteUs) {
        this.sends = sends;
        nextUs = firstMinuteUs;
        next = maker.submit(() -> sends.apply(firstMinuteUs));
    }

    /** Waits for the first minute. */
    void await() throws InterruptedException {
        Result.of(next);
    }

    /** The sends of a minute, by window of 10 s. Minutes are asked for in their order. */
    List<List<HostSend>> of(long minuteUs) throws InterruptedException {
        if (minuteUs != nowUs) {
            now = minuteUs == nextUs ? Result.of(next) : sends.apply(minuteUs);
            nowUs = minuteUs;
            nextUs = minuteUs + WindowPart.MINUTE_US;
            long following = nextUs;
            next = maker.submit(() -> sends.apply(following));
        }
        return now;
    }

    @Override
    public void close() {
        maker.shutdownNow();
    }
}
