/**
 * What the minutes of an hour come to, and what the last two weeks looked like: rows that pages
 * about the whole fleet and about long times read in place of minutes. Pinned by HourPartTest and
 * HorizonsTest, and by HoursFunctionTest of the jobs.
 */
package io.quotascope.domain.hour;
