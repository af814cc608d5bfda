/**
 * What was advised, what was promised when it was accepted, and what became of it; each core is
 * credited once. Pinned by {@code RecommendationTest} and {@code CoreSpansTest}.
 */
package io.quotascope.domain.ledger;
