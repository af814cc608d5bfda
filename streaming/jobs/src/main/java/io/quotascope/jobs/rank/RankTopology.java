package io.quotascope.jobs.rank;

import io.quotascope.domain.rank.ServiceOffer;
import io.quotascope.domain.rank.TuningOffer;
import io.quotascope.jobs.io.log.DeadLetter;
import io.quotascope.jobs.io.log.DecodeFunction;
import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.parts.JudgingInput;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.wire.TuningOffers;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;

/** From service windows, the catalog and the worth of changes to the ranking of services. */
public final class RankTopology {

    /**
     * What is known of the worth of changes.
     *
     * @param offers the best savings estimates and judgements of risk
     * @param deadLetters messages of their topics that are none
     */
    public record Offers(DataStream<ServiceOffer> offers, DataStream<DeadLetter> deadLetters) {
        /** Decodes the messages of the two topics. */
        public static Offers of(DataStream<LogRecord> savings, DataStream<LogRecord> risks) {
            SingleOutputStreamOperator<ServiceOffer> ofSavings =
                    decoded(savings, TuningOffers::savings, "decode-savings-estimates");
            SingleOutputStreamOperator<ServiceOffer> ofRisks =
                    decoded(risks, TuningOffers::risk, "decode-collapse-risks");
            return new Offers(
                    ofSavings.union(ofRisks),
                    ofSavings
                            .getSideOutput(DecodeFunction.DEAD_LETTERS)
                            .union(ofRisks.getSideOutput(DecodeFunction.DEAD_LETTERS)));
        }

        private static SingleOutputStreamOperator<ServiceOffer> decoded(
                DataStream<LogRecord> messages,
                DecodeFunction.Decoder<ServiceOffer> decoder,
                String uid) {
            return messages.forward()
                    .process(
                            new DecodeFunction<>(decoder),
                            new ByteFormType<>(new ServiceOfferForm()))
                    .uid(uid)
                    .name(uid)
                    .setParallelism(messages.getParallelism());
        }
    }

    private RankTopology() {}

    /** One judgement for every row that is no repetition, with what is known of its worth. */
    public static DataStream<RankRows> build(
            JudgingInput input, Offers offers, long revision, RankFunction.Policy policy) {
        RankFunction<RankRows> function =
                new RankFunction<>(JudgingInput.STATE, RankRows::of, revision, policy);
        return input.judge("rank", function, new ByteFormType<>(new RankRowsForm()))
                .keyBy(rows -> KeyText.of(rows.key()), Types.STRING)
                .connect(
                        offers.offers()
                                .filter(
                                        each ->
                                                !(each.offer() instanceof TuningOffer.Savings made)
                                                        || made.best())
                                .uid("best-offers")
                                .name("best offers")
                                .keyBy(each -> KeyText.of(each.key()), Types.STRING))
                .process(
                        new WorthFunction<>(
                                new ByteFormType<>(new ServiceOfferForm()),
                                new RankRows.Worth(),
                                policy,
                                revision),
                        new ByteFormType<>(new RankRowsForm()))
                .uid("worth")
                .name("worth of tuning");
    }
}
