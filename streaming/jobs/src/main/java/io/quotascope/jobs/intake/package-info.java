/**
 * Which messages count: decoded, validated, in time, and each once. What does not count goes whole
 * to the dead letters or is counted as a repetition. Pinned by {@code IntakeFunctionTest} and
 * schemas/golden/window_parts.json.
 */
package io.quotascope.jobs.intake;
