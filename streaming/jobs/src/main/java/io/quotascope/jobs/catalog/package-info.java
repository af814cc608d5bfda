/**
 * What owners say about their services, from YAML to the compacted topic. Pinned by {@code
 * CatalogFileTest}.
 */
package io.quotascope.jobs.catalog;
