/**
 * Changes that show in service windows: this package says when they are looked for, the domain what
 * counts. Pinned by {@code ChangesFunctionTest}.
 */
package io.quotascope.jobs.changes;
