/**
 * What changes really did, from hours of services, change events and the recommendation ledger:
 * this package says when a change is judged, the domain how. Pinned by {@code
 * VerificationFunctionTest}.
 */
package io.quotascope.jobs.verification;
