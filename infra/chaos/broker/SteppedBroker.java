import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.function.Supplier;
import kafka.server.KafkaConfig;
import kafka.server.KafkaRaftServer;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.common.utils.Utils;

/**
 * The broker of the other stacks with one difference: its clock is ahead of the machine's by the
 * milliseconds that a file states. The log's clock is the broker's, so a test that moves it has
 * hours in seconds, and everything else runs on real time. What it has seen it writes into a file
 * of that name and {@code .seen}: on a busy machine that may be long after it was asked for.
 *
 * <p>{@code java -cp 'classes:kafka/*' SteppedBroker server.properties ahead-ms}
 */
public final class SteppedBroker {
    private static final long LOOKS_EVERY_MS = 10;

    private SteppedBroker() {}

    /** Runs until SIGTERM. */
    public static void main(String[] arguments) throws IOException {
        Properties properties = Utils.loadProps(arguments[0]);
        Clock clock = new Clock(Path.of(arguments[1]));
        clock.look();
        Thread looking = new Thread(clock, "stepped-clock");
        looking.setDaemon(true);
        looking.start();
        KafkaRaftServer server = new KafkaRaftServer(KafkaConfig.fromProps(properties, false), clock);
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdown, "stepped-broker-stop"));
        server.startup();
        server.awaitShutdown();
    }

    /** Elapsed time is the machine's; only what the time is differs. */
    private static final class Clock implements Time, Runnable {
        private final Path file;
        private final Path seen;
        private volatile long aheadMs;

        Clock(Path file) {
            this.file = file;
            this.seen = Path.of(file + ".seen");
        }

        @Override
        public void run() {
            while (true) {
                look();
                Time.SYSTEM.sleep(LOOKS_EVERY_MS);
            }
        }

        /** The file is replaced as a whole; while it is not there the clock stays as it is. */
        void look() {
            try {
                long askedMs = Long.parseLong(Files.readString(file).strip());
                if (askedMs != aheadMs) {
                    aheadMs = askedMs;
                    Files.writeString(seen, askedMs + "\n");
                }
            } catch (IOException e) {
                // Not written yet: nothing was asked for.
            }
        }

        @Override
        public long milliseconds() {
            return Time.SYSTEM.milliseconds() + aheadMs;
        }

        @Override
        public long nanoseconds() {
            return Time.SYSTEM.nanoseconds();
        }

        @Override
        public void sleep(long ms) {
            Time.SYSTEM.sleep(ms);
        }

        @Override
        public void waitObject(Object object, Supplier<Boolean> condition, long deadlineMs)
                throws InterruptedException {
            Time.SYSTEM.waitObject(object, condition, deadlineMs - aheadMs);
        }
    }
}
