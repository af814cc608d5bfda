/**
 * What the jobs that raise alerts share: the rules as options, the state of a subject's alerts as
 * bytes, and where alerts go.
 */
package io.quotascope.jobs.io.alerts;
