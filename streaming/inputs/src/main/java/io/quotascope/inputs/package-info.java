/**
 * What people and other systems know of services and the pipeline cannot measure: catalog, prices,
 * changes, answers to recommendations, requests. Pinned by {@code InputsTest}.
 */
package io.quotascope.inputs;
