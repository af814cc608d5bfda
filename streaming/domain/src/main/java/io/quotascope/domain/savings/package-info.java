/**
 * What tuning is worth: how much more load the same reservation carries after a set of fixes,
 * always replayed together and never summed, what of that can be given back, and what it is worth
 * by the price book, each with its 5th and 95th percentile. Pinned by the tests of this package and
 * by docs/model/validation.md.
 */
package io.quotascope.domain.savings;
