/**
 * Shard windows of 10 s become service windows of a minute: the only windowing there is. Pinned by
 * {@code RollupFunctionTest} and {@code TimePartRuleTest}.
 */
package io.quotascope.jobs.rollup;
