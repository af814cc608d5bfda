package io.quotascope.jobs.io.log;

/**
 * One message of a topic as it lies in the log.
 *
 * @param topic the topic
 * @param partition the partition
 * @param offset the offset
 * @param appendTimeMs LogAppendTime, milliseconds since the Unix epoch
 * @param value the bytes; null is a tick, which only carries its append time
 */
public record LogRecord(String topic, int partition, long offset, long appendTimeMs, byte[] value) {

    /**
     * Whether this is a tick: a message without a value, which only moves the clock of its
     * partition.
     */
    public boolean isTick() {
        return value == null;
    }

    /** Where it lies, as text: topic/partition/offset. */
    public String place() {
        return topic + "/" + partition + "/" + offset;
    }
}
