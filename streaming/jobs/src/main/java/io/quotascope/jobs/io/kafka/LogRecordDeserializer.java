package io.quotascope.jobs.io.kafka;

import io.quotascope.jobs.io.log.LogRecord;
import io.quotascope.jobs.io.log.LogRecordForm;
import io.quotascope.jobs.io.state.ByteFormType;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * Hands every message on as it is, ticks included: the clock of a partition is driven by elements
 * that leave the reader, so a tick dropped here would not move it. Nothing is decoded and nothing
 * can fail.
 */
final class LogRecordDeserializer implements KafkaRecordDeserializationSchema<LogRecord> {
    private static final long serialVersionUID = 1L;

    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> message, Collector<LogRecord> out) {
        out.collect(
                new LogRecord(
                        message.topic(),
                        message.partition(),
                        message.offset(),
                        message.timestamp(),
                        message.value()));
    }

    @Override
    public TypeInformation<LogRecord> getProducedType() {
        return new ByteFormType<>(new LogRecordForm());
    }
}
