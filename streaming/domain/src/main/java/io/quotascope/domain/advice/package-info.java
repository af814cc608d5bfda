/**
 * What a service should change: one decision, shown everywhere. docs/model/savings.md, section
 * Recommended change.
 */
package io.quotascope.domain.advice;
