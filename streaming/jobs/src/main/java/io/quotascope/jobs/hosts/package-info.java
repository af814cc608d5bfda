/**
 * What hosts carry and how their kernels behave, from the windows of hosts and shards: this package
 * says when it is judged, the domain how. Pinned by {@code HostHoursFunctionTest} and {@code
 * HostAlertsFunctionTest}.
 */
package io.quotascope.jobs.hosts;
