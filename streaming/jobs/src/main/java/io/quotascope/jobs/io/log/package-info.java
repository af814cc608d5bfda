/** Messages as they lie in the log, and those that were refused. Pinned by {@code LogCodecsTest}. */
package io.quotascope.jobs.io.log;
