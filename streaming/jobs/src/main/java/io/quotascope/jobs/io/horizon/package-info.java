/**
 * The last fifteen days of each service in keyed state, for jobs that judge more than a minute or
 * forecast the load. Pinned by {@code RankFunctionTest}.
 */
package io.quotascope.jobs.io.horizon;
