package io.quotascope.fleetsim.door;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that send side by side, each with numbers and a producer of its own. */
final class Lanes implements AutoCloseable {
    private final ExecutorService threads;
    private final List<Lane> lanes = new ArrayList<>();

    /** One thread, its numbers and its producer. */
    record Lane(int number, int of, RawSender sender, TopicWriter writer) {
        /** Whether this lane sends what the hosts of a copy of the fleet have to send. */
        boolean takes(int copy) {
            return copy % of == number;
        }
    }

    /** What a lane does in its own thread; returns the number of records. */
    @FunctionalInterface
    interface Work {
        long in(Lane lane) throws InterruptedException;
    }

    Lanes(KafkaPlace place, int count) throws InvalidInputException {
        for (int number = 0; number < count; number++) {
            lanes.add(new Lane(number, count, new RawSender(), new TopicWriter(place)));
        }
        threads = Executors.newFixedThreadPool(count);
    }

    /** Lets every lane work and waits for all; the sum of their records, or the first failure. */
    long each(Work work) throws InterruptedException {
        List<Callable<Long>> tasks = new ArrayList<>();
        lanes.forEach(lane -> tasks.add(() -> work.in(lane)));
        long records = 0;
        for (Future<Long> done : threads.invokeAll(tasks)) {
            records += Result.of(done);
        }
        return records;
    }

    /** Waits until the broker has everything; a failure of one lane leaves no other open. */
    @Override
    public void close() {
        threads.shutdownNow();
        RuntimeException first = null;
        for (Lane lane : lanes) {
            try {
                lane.writer().close();
            } catch (RuntimeException failed) {
                if (first == null) {
                    first = failed;
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
