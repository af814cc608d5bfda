/**
 * What other settings and loads would give services, from service windows and the catalog: this
 * package says when it is judged, {@code domain.analysis} how. Pinned by {@code
 * AnalysingFunctionTest} and {@code OracleTest}.
 */
package io.quotascope.jobs.whatif;
