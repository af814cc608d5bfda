/**
 * What a change really did: matched hours before and after it, against services that were not
 * changed, with an interval and with "no detectable change" as an answer; and how good our own
 * predictions were. Pinned by VerificationTest (coverage on simulated hours) and
 * PredictionScoreTest.
 */
package io.quotascope.domain.verification;
