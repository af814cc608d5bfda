/**
 * Kafka as source and sink: append time is the only clock, ticks reach the watermark, dead letters
 * carry their headers. Pinned by {@code KafkaLogTest}.
 */
package io.quotascope.jobs.io.kafka;
