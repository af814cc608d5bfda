/**
 * What a collector would have reported of a simulated run: the same records, histograms and sums
 * that production has, so that an estimator is judged on nothing else. Pinned by
 * ObservedWindowsTest.
 */
package io.quotascope.domain.cfs.observed;
