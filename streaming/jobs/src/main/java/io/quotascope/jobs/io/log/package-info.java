/** Messages as they lie in the log, and those that were refused. Pinned by {@code LogFormsTest}. */
package io.quotascope.jobs.io.log;
