/**
 * Alerts about services, from service windows and judgements of their cliffs: this package says
 * when they are judged, the domain how. Pinned by {@code ServiceAlertsFunctionTest}.
 */
package io.quotascope.jobs.alerts;
