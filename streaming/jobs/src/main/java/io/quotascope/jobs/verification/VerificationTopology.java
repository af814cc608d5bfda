package io.quotascope.jobs.verification;

import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.ledger.Recommendation;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.parts.Reference;
import io.quotascope.jobs.io.parts.References;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.wire.Codecs;
import io.quotascope.wire.Decoded;
import io.quotascope.wire.PredictionScores;
import io.quotascope.wire.ServiceHours;
import io.quotascope.wire.Verifications;
import io.quotascope.wire.avro.PredictionScore;
import io.quotascope.wire.avro.Verification;
import java.io.Serializable;
import java.util.function.Function;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/** From hours, requests, change events, the ledger and prices to what changes really did. */
public final class VerificationTopology {
    private static final TypeInformation<ClusterEvidence> EVIDENCE =
            new ByteFormType<>(new ClusterEvidenceForm());

    static final OutputTag<PredictionScore> SCORES =
            new OutputTag<>(
                    "scores",
                    new ByteFormType<>(new AvroForm<>(PredictionScore.class, "prediction_score")));

    /**
     * Messages of the four topics, and what is looked up.
     *
     * @param hours with the clock of their topic
     * @param changes with a clock that holds nothing back
     * @param ledger likewise
     * @param loads likewise; empty where nobody counts requests
     * @param references catalog entries and price books, likewise
     */
    public record Input(
            DataStream<LogRecord> hours,
            DataStream<LogRecord> changes,
            DataStream<LogRecord> ledger,
            DataStream<LogRecord> loads,
            DataStream<Reference> references) {}

    /**
     * What becomes of them.
     *
     * @param verifications rows of judged changes
     * @param scores rows of scores
     * @param steps entries of the ledger that took a step
     * @param alerts that changes took back what had been saved
     * @param deadLetters messages that are no record of their topic
     */
    public record Output(
            DataStream<Verification> verifications,
            DataStream<PredictionScore> scores,
            DataStream<Recommendation> steps,
            DataStream<ThrottlingAlert> alerts,
            DataStream<DeadLetter> deadLetters) {}

    /** Turns a record into evidence; it runs on the task managers. */
    private interface Reading<R> extends Function<R, ClusterEvidence>, Serializable {}

    private VerificationTopology() {}

    /** Messages of the four topics as evidence. */
    private record Evidence(
            SingleOutputStreamOperator<ClusterEvidence> hours,
            SingleOutputStreamOperator<ClusterEvidence> changes,
            SingleOutputStreamOperator<ClusterEvidence> entries,
            SingleOutputStreamOperator<ClusterEvidence> loads) {
        static Evidence of(Input input) {
            return new Evidence(
                    decoded(
                            input.hours(),
                            ServiceHours::reading,
                            ClusterEvidence.Hour::new,
                            "decode-service-hours"),
                    decoded(
                            input.changes(),
                            framed -> Codecs.CHANGE_EVENTS.decode(framed),
                            ClusterEvidence.Change::new,
                            "decode-change-events"),
                    decoded(
                            input.ledger(),
                            framed -> Codecs.RECOMMENDATIONS.decode(framed),
                            ClusterEvidence.Entry::new,
                            "decode-recommendations"),
                    decoded(
                            input.loads(),
                            framed -> Codecs.SERVICE_LOADS.decode(framed),
                            ClusterEvidence.Load::new,
                            "decode-service-load"));
        }

        DataStream<ClusterEvidence> all() {
            return hours.union(changes, entries, loads);
        }

        DataStream<DeadLetter> deadLetters() {
            return hours.getSideOutput(DecodeFunction.DEAD_LETTERS)
                    .union(
                            changes.getSideOutput(DecodeFunction.DEAD_LETTERS),
                            entries.getSideOutput(DecodeFunction.DEAD_LETTERS),
                            loads.getSideOutput(DecodeFunction.DEAD_LETTERS));
        }
    }

    /** Builds the graph. */
    public static Output build(
            Input input,
            long revision,
            VerificationFunction.Policy policy,
            AlertOptions.Rules rules,
            int unaffectedMax) {
        Evidence evidence = Evidence.of(input);
        SingleOutputStreamOperator<Verification> judged =
                evidence.all()
                        .keyBy(VerificationTopology::keyOf, Types.STRING)
                        .process(
                                function(revision, policy, rules, unaffectedMax),
                                new ByteFormType<>(
                                        new AvroForm<>(Verification.class, "verification")))
                        .uid("verification")
                        .name("verification of changes");
        return new Output(
                priced(judged, input.references(), revision),
                judged.getSideOutput(SCORES),
                judged.getSideOutput(VerificationFunction.STEPS),
                judged.getSideOutput(Regressions.ALERTS),
                evidence.deadLetters());
    }

    private static DataStream<Verification> priced(
            DataStream<Verification> judged, DataStream<Reference> references, long revision) {
        return judged.keyBy(Verifications::keyOf, Types.STRING)
                .connect(
                        references.broadcast(
                                References.descriptors().toArray(new MapStateDescriptor<?, ?>[0])))
                .process(
                        new PricingFunction<>(new PricedRow(), revision),
                        new ByteFormType<>(new AvroForm<>(Verification.class, "verification")))
                .uid("prices-of-changes")
                .name("prices of changes");
    }

    private static VerificationFunction<Verification> function(
            long revision,
            VerificationFunction.Policy policy,
            AlertOptions.Rules rules,
            int unaffectedMax) {
        return new VerificationFunction<>(
                (judged, newest, completeness, entry) ->
                        Verifications.toAvro(judged, newest, completeness, entry, revision),
                Scores.to(
                        SCORES,
                        (score, quantity, last, windowStartUs) ->
                                PredictionScores.toAvro(
                                        score, quantity, last, windowStartUs, revision)),
                new Regressions(rules, revision),
                policy,
                unaffectedMax);
    }

    /** Origin and cluster; the origin is one of three words. */
    static String keyOf(ClusterEvidence evidence) {
        return evidence.origin().label() + '/' + evidence.cluster();
    }

    private static <R> SingleOutputStreamOperator<ClusterEvidence> decoded(
            DataStream<LogRecord> messages,
            DecodeFunction.Decoder<R> decoder,
            Reading<R> reading,
            String uid) {
        return messages.forward()
                .process(
                        new DecodeFunction<ClusterEvidence>(
                                framed -> evidence(decoder.decode(framed), reading)),
                        EVIDENCE)
                .uid(uid)
                .name(uid)
                .setParallelism(messages.getParallelism());
    }

    private static <R> Decoded<ClusterEvidence> evidence(Decoded<R> decoded, Reading<R> reading) {
        return decoded instanceof Decoded.Refused<R> refused
                ? new Decoded.Refused<>(refused.refusal())
                : new Decoded.Sound<>(reading.apply(decoded.orElseThrow()));
    }
}
