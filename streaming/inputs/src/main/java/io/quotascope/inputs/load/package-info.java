/**
 * Requests of services, from CSV or from Prometheus' HTTP interface. Pinned by {@code LoadFileTest}
 * and {@code PrometheusImportTest}.
 */
package io.quotascope.inputs.load;
