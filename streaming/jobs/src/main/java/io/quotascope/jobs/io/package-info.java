/**
 * What jobs have in common: their shell, and below it Kafka, ClickHouse, options, state and ticks.
 * Nothing here judges anything.
 */
package io.quotascope.jobs.io;
