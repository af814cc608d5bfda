/**
 * What owners say about their services, from YAML, CSV or Kubernetes objects to the compacted
 * topic. Pinned by {@code CatalogFileTest} and {@code KubernetesServicesTest}.
 */
package io.quotascope.inputs.catalog;
