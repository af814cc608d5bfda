/**
 * Measures what concurrency costs services, from their windows and their requests: this package
 * says which minutes meet, {@code domain.load} what they prove. Pinned by {@code CostFunctionTest}.
 */
package io.quotascope.jobs.costs;
