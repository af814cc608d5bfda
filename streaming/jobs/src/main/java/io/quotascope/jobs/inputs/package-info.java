/**
 * What people and other systems told, from its topics to its tables, so that it can be read beside
 * the judgements. Pinned by {@code InputsJobTest}.
 */
package io.quotascope.jobs.inputs;
