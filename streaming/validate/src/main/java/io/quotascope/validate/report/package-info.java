/** Writes what was found: a table in Markdown and plots in SVG. */
package io.quotascope.validate.report;
