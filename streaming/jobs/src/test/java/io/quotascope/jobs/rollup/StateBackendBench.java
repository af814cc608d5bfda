package io.quotascope.jobs.rollup;

import com.sun.management.OperatingSystemMXBean;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.fixture.HostRecord;
import io.quotascope.jobs.fixture.ShardRecord;
import io.quotascope.jobs.io.JobShell;
import io.quotascope.jobs.io.log.Accepted;
import io.quotascope.jobs.io.log.AcceptedForm;
import io.quotascope.jobs.io.state.ByteFormType;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.OptionalLong;
import org.apache.flink.api.common.RuntimeExecutionMode;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.configuration.CheckpointingOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.StateBackendOptions;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;

/**
 * What the rollup costs on the heap and in RocksDB: a million records of 3,000 shards of 300
 * services over three open minutes, a checkpoint every 2 s, CPU of the whole process. Run: {@code
 * java ... StateBackendBench hashmap|rocksdb [records]}; the figures are in
 * docs/decisions/0003-state-backend.md.
 */
public final class StateBackendBench {
    private static final int SHARDS = 3_000;
    private static final int SERVICES = 300;
    private static final int SLOTS = 18;
    private static final long START_US = 1_767_225_600_000_000L;

    private StateBackendBench() {}

    public static void main(String[] args) throws Exception {
        String backend = args[0];
        long records = args.length > 1 ? Long.parseLong(args[1]) : 1_000_000;
        run(backend, 200_000); // The compiler has seen the code once before it is measured.
        OperatingSystemMXBean process =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long cpuNs = process.getProcessCpuTime();
        long wallNs = System.nanoTime();
        run(backend, records);
        cpuNs = process.getProcessCpuTime() - cpuNs;
        wallNs = System.nanoTime() - wallNs;
        System.out.printf(
                Locale.ROOT,
                "%s: %d records, %.2f us of CPU each, %.1f s%n",
                backend,
                records,
                cpuNs / 1e3 / records,
                wallNs / 1e9);
    }

    private static void run(String backend, long records) throws Exception {
        Path folder = Files.createTempDirectory("state-backend-bench");
        Configuration settings = JobShell.settings();
        settings.set(StateBackendOptions.STATE_BACKEND, backend);
        settings.set(CheckpointingOptions.CHECKPOINTING_INTERVAL, Duration.ofSeconds(2));
        settings.set(CheckpointingOptions.CHECKPOINTS_DIRECTORY, folder.toUri().toString());
        StreamExecutionEnvironment env =
                StreamExecutionEnvironment.createLocalEnvironment(2, settings);
        env.setRuntimeMode(RuntimeExecutionMode.STREAMING);
        DataStream<Accepted<ShardWindow>> shards =
                env.fromSource(
                                new NumberSequenceSource(0, records - 1),
                                WatermarkStrategy.noWatermarks(),
                                "numbers")
                        .map(new Shards())
                        .returns(new ByteFormType<>(new AcceptedForm.OfShards()));
        DataStream<Accepted<HostReport>> hosts =
                env.fromSource(
                                new NumberSequenceSource(0, 0),
                                WatermarkStrategy.noWatermarks(),
                                "host")
                        .map(number -> host())
                        .returns(new ByteFormType<>(new AcceptedForm.OfHosts()));
        RollupTopology.build(shards, hosts, 1).sinkTo(new DiscardingSink<>());
        env.execute();
        try (var files = Files.walk(folder)) {
            files.sorted(java.util.Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    private static Accepted<HostReport> host() {
        HostRecord record = new HostRecord().sent("service-0", 1);
        record.windowStartUs = START_US;
        return new Accepted<>(
                record.framed(),
                record.build(),
                START_US / 1000,
                WindowPart.of(START_US, START_US / 1000),
                OptionalLong.of(0));
    }

    /** Hands out prepared records in turn, so that making them is not what is measured. */
    private static final class Shards extends RichMapFunction<Long, Accepted<ShardWindow>> {
        private static final long serialVersionUID = 1L;
        private transient Accepted<ShardWindow>[] prepared;

        @Override
        @SuppressWarnings("unchecked") // An array of a generic type.
        public void open(OpenContext context) {
            prepared = new Accepted[SHARDS * SLOTS];
            for (int i = 0; i < prepared.length; i++) {
                ShardRecord record = new ShardRecord();
                record.shardId = i % SHARDS;
                record.shard = "shard-" + i % SHARDS;
                record.service = "service-" + i % SHARDS % SERVICES;
                record.windowStartUs = START_US + i / SHARDS * 10_000_000L;
                record.bucket = 20 + i % 60;
                record.usageUs = 1_000_000 + i;
                long appendMs = record.windowStartUs / 1000 + 11_000;
                prepared[i] =
                        new Accepted<>(
                                record.framed(),
                                record.build(),
                                appendMs,
                                WindowPart.of(record.windowStartUs, appendMs),
                                OptionalLong.of(0));
            }
        }

        @Override
        public Accepted<ShardWindow> map(Long number) {
            return prepared[(int) (number % prepared.length)];
        }
    }
}
