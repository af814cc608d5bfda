/**
 * Ticks: empty messages on every partition of the timed topics, so that the clock of the log moves
 * where no record comes. Pinned by {@code TickTest}.
 */
package io.quotascope.jobs.io.tick;
