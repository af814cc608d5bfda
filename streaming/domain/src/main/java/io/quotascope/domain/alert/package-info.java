/**
 * When something is wrong enough to wake somebody, when it has ended, and what to do: rules as
 * values, judged minute by minute with hysteresis, so that an alert begins once and ends once.
 * Pinned by {@code AlertBookTest}.
 */
package io.quotascope.domain.alert;
