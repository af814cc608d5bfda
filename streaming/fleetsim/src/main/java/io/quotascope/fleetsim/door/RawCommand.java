package io.quotascope.fleetsim.door;

import io.quotascope.console.InvalidInputException;
import io.quotascope.console.KafkaPlace;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.fleetsim.FleetOptions;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.minute.RawMinutes;
import io.quotascope.fleetsim.minute.RawMinutes.HostSend;
import io.quotascope.fleetsim.template.Templates;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The raw door: records of collectors, stamped now. */
@Command(
        name = "raw",
        mixinStandardHelpOptions = true,
        description = {
            "Sends records of collectors at a steady rate, each window stamped with the 10 s that"
                    + " have just passed.",
            "A shard sends one record in 10 s, so the rate decides how many copies of the fleet"
                    + " there are; the last line says what was reached."
        })
public final class RawCommand implements Callable<Integer> {
    private static final double WINDOW_S = 10;

    /** What one thread sends with ease (docs/journal/2026-11-23-the-raw-door.md). */
    private static final double RECORDS_PER_SECOND_A_LANE = 150_000;

    @Mixin private KafkaPlace place;
    @Mixin private FleetOptions options;
    @Spec private CommandSpec spec;

    @Option(
            names = "--records-per-second",
            defaultValue = "1000",
            paramLabel = "N",
            description = "records of shards a second; default ${DEFAULT-VALUE}")
    private double asked;

    @Option(
            names = "--seconds",
            defaultValue = "60",
            paramLabel = "N",
            description = "how long to send, whole windows; default ${DEFAULT-VALUE}")
    private int seconds;

    @Override
    public Integer call() throws InvalidInputException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        Fleet fleet = Fleet.draw(options.settings());
        RawMinutes raw = new RawMinutes(fleet, new Templates(fleet.settings().seed()));
        double copies = asked * WINDOW_S / fleet.settings().shards();
        out.printf(
                Locale.ROOT,
                "%.2f copies of a fleet of %d shards%n",
                copies,
                fleet.settings().shards());
        // The simulator runs before the clock does.
        for (long ahead = 0; ahead <= seconds * 1_000_000L; ahead += WindowPart.MINUTE_US) {
            raw.prepare(WindowPart.minuteOf(now() + ahead));
        }
        Duration before;
        long began;
        long records;
        try (Lanes lanes = new Lanes(place, lanes(asked));
                MinutesAhead minutes = new MinutesAhead(raw::sends, WindowPart.minuteOf(now()))) {
            minutes.await();
            long firstUs = windowOf(now());
            // Until its end there is nothing to send, and nothing to count.
            sleepUntil(firstUs + WindowPart.WINDOW_US);
            before = cpu();
            began = System.nanoTime();
            records = sendAll(minutes, copies, firstUs, lanes);
        }
        double took = (System.nanoTime() - began) / 1e9;
        double cpuUs = cpu().minus(before).toNanos() / 1e3;
        out.printf(
                Locale.ROOT,
                "%d records in %.1f s: %.0f a second, %.0f asked; %.2f us of CPU a record%n",
                records,
                took,
                records / took,
                asked,
                cpuUs / records);
        out.flush();
        return 0;
    }

    /** Sends window by window; copies of the fleet are dealt out to the lanes. */
    private long sendAll(MinutesAhead minutes, double copies, long firstUs, Lanes lanes)
            throws InterruptedException {
        long records = 0;
        for (int number = 0; number < Math.max(1, seconds / WINDOW_S); number++) {
            long windowUs = firstUs + number * WindowPart.WINDOW_US;
            List<HostSend> sends =
                    minutes.of(WindowPart.minuteOf(windowUs)).get(WindowPart.slotOf(windowUs));
            sleepUntil(windowUs + WindowPart.WINDOW_US);
            Pace pace = new Pace(windowUs + WindowPart.WINDOW_US);
            records += lanes.each(lane -> send(sends, copies, lane, pace));
        }
        return records;
    }

    /** Compressing is the dearest part, and a producer does it in the thread that sends. */
    private static int lanes(double recordsPerSecond) {
        int needed = (int) Math.ceil(recordsPerSecond / RECORDS_PER_SECOND_A_LANE);
        return Math.max(1, Math.min(needed, Runtime.getRuntime().availableProcessors()));
    }

    /** Spreads the sends of a window over the 10 s after it, as collectors do. */
    private record Pace(long fromUs) {
        void await(double share) throws InterruptedException {
            sleepUntil(fromUs + (long) (share * WindowPart.WINDOW_US));
        }
    }

    private static long send(List<HostSend> sends, double copies, Lanes.Lane lane, Pace pace)
            throws InterruptedException {
        long hosts = Math.round(copies * sends.size());
        long records = 0;
        for (long number = 0; number < hosts; number++) {
            int copy = (int) (number / sends.size());
            // A host stays with its lane, which numbers its records.
            if (lane.takes(copy)) {
                HostSend send = sends.get((int) (number % sends.size()));
                records += lane.sender().send(send, copy, lane.writer()::write);
                pace.await((number + 1) / (double) hosts);
            }
        }
        return records;
    }

    private static Duration cpu() {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static long now() {
        return System.currentTimeMillis() * 1000;
    }

    private static long windowOf(long us) {
        return Math.floorDiv(us, WindowPart.WINDOW_US) * WindowPart.WINDOW_US;
    }

    private static void sleepUntil(long us) throws InterruptedException {
        long waitMs = (us - now()) / 1000;
        if (waitMs > 1) {
            Thread.sleep(waitMs);
        }
    }
}
