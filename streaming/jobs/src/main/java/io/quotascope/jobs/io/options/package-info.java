/**
 * Options of the jobs: declared once with type, default and unit, read from {@code --config FILE}
 * and {@code --key value}, documented in {@code docs/options}. Pinned by {@code OptionPageTest} and
 * {@code JobArgumentsTest}.
 */
package io.quotascope.jobs.io.options;
