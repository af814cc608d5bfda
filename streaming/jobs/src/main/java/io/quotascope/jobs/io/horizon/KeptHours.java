package io.quotascope.jobs.io.horizon;

import io.quotascope.domain.hour.LoadHours;

/**
 * Hours in state.
 *
 * @param hours the hours
 * @param revision reprocessing revision of the rows in them
 * @param lastRowMs append time of the last row, milliseconds since the Unix epoch
 */
record KeptHours(LoadHours hours, long revision, long lastRowMs) {}
