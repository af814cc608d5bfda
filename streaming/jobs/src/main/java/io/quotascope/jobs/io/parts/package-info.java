/**
 * How judging jobs gather the parts of a minute, drop repetitions, join the catalog and end their
 * state. Pinned by {@code JudgingFunctionTest}.
 */
package io.quotascope.jobs.io.parts;
