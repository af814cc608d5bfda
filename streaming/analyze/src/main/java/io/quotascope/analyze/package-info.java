/**
 * The same judgements as the pipeline's, on one file: usage slices or usage windows of a service
 * in, a report for a terminal, a program or a browser out. Pinned by AnalyzeTest.
 */
package io.quotascope.analyze;
