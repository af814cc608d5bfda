package io.quotascope.jobs.intake;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.Sender;
import io.quotascope.domain.window.ShardIdentity;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.jobs.io.log.Accepted;
import io.quotascope.jobs.io.log.AcceptedForm;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.Codecs;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** From messages to records that count. */
public final class IntakeTopology {

    /**
     * @param windows messages of the shard window and host window topics, with append times and the
     *     clock of the log
     * @param identities messages of the shard identity topic
     */
    public record Input(DataStream<LogRecord> windows, DataStream<LogRecord> identities) {}

    /**
     * @param shards shard windows, each once
     * @param hosts host windows, each once
     * @param identities shard identities; repetitions replace themselves in their table
     * @param deadLetters everything that was refused
     */
    public record Output(
            DataStream<Accepted<ShardWindow>> shards,
            DataStream<Accepted<HostReport>> hosts,
            DataStream<ShardIdentity> identities,
            DataStream<DeadLetter> deadLetters) {}

    /**
     * @param shards shard windows, each once
     * @param hosts host windows, each once
     * @param deadLetters what was refused of both
     */
    public record Windows(
            DataStream<Accepted<ShardWindow>> shards,
            DataStream<Accepted<HostReport>> hosts,
            DataStream<DeadLetter> deadLetters) {}

    private IntakeTopology() {}

    /**
     * @param hostTopic which of the windows' topics holds host windows
     */
    public static Output build(Input input, String hostTopic) {
        Windows windows = windows(input.windows(), hostTopic);
        SingleOutputStreamOperator<ShardIdentity> identities =
                input.identities()
                        .process(
                                new DecodeFunction<>(
                                        framed -> Codecs.SHARD_IDENTITIES.decode(framed)),
                                new ByteFormType<>(new ShardIdentityForm()))
                        .uid("intake-identities")
                        .name("decode identities")
                        .setParallelism(input.identities().getParallelism());
        DataStream<DeadLetter> deadLetters =
                windows.deadLetters().union(identities.getSideOutput(DecodeFunction.DEAD_LETTERS));
        return new Output(windows.shards(), windows.hosts(), identities, deadLetters);
    }

    /**
     * The windows alone, for a job that needs no identities.
     *
     * @param messages messages of the shard window and host window topics, with append times and
     *     the clock of the log
     * @param hostTopic which of the topics holds host windows
     */
    public static Windows windows(DataStream<LogRecord> messages, String hostTopic) {
        SingleOutputStreamOperator<Arrival<ShardWindow>> admitted =
                messages.forward()
                        .process(
                                new AdmissionFunction(hostTopic),
                                new ByteFormType<>(new ArrivalForm.OfShards()))
                        .uid("intake-admission")
                        .name("decode and check")
                        // Any other parallelism would let records of one partition overtake each
                        // other, and intake would take the slower ones for repetitions.
                        .setParallelism(messages.getParallelism());
        DataStream<Accepted<ShardWindow>> shards =
                once(
                        "intake-shards",
                        admitted,
                        new OfShard(),
                        new ByteFormType<>(new AcceptedForm.OfShards()));
        DataStream<Accepted<HostReport>> hosts =
                once(
                        "intake-hosts",
                        admitted.getSideOutput(AdmissionFunction.HOSTS),
                        new OfHost(),
                        new ByteFormType<>(new AcceptedForm.OfHosts()));
        return new Windows(shards, hosts, admitted.getSideOutput(DecodeFunction.DEAD_LETTERS));
    }

    private static <R> DataStream<Accepted<R>> once(
            String uid,
            DataStream<Arrival<R>> arrivals,
            IntakeFunction.Identity<R> identity,
            TypeInformation<Accepted<R>> type) {
        return arrivals.keyBy(arrival -> runOf(identity.senderOf(arrival.record())), Types.STRING)
                .process(new IntakeFunction<>(identity), type)
                .uid(uid)
                .name(uid + ": each record once");
    }

    /** One run of one agent. The epoch is digits, so the last slash always divides the two. */
    private static String runOf(Sender sender) {
        return sender.hostId() + '/' + sender.agentEpoch();
    }

    private static final class OfShard implements IntakeFunction.Identity<ShardWindow> {
        private static final long serialVersionUID = 1L;

        @Override
        public Sender senderOf(ShardWindow window) {
            return window.sender();
        }

        @Override
        public long windowStartUsOf(ShardWindow window) {
            return window.windowStartUs();
        }
    }

    private static final class OfHost implements IntakeFunction.Identity<HostReport> {
        private static final long serialVersionUID = 1L;

        @Override
        public Sender senderOf(HostReport report) {
            return report.sender();
        }

        @Override
        public long windowStartUsOf(HostReport report) {
            return report.windowStartUs();
        }
    }
}
