/**
 * Minutes of services become hours, from service windows and the catalog: this package says when an
 * hour has closed, the domain what it comes to. Pinned by {@code HoursFunctionTest}.
 */
package io.quotascope.jobs.hours;
