/**
 * The heavy judgements of one service and class, put together from the minutes of a horizon: what
 * the jobs emit and what an offline program must compute alike. Here is what is judged; a job adds
 * only when. Pinned by the tests of this package and by {@code OracleTest} of the jobs.
 */
package io.quotascope.domain.analysis;
