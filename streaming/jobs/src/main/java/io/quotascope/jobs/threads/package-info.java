/**
 * Threads per reserved core, from service windows and the catalog: this package says when it is
 * judged, the domain how. Pinned by {@code JudgingFunctionTest} and schemas/golden/judgements.json.
 */
package io.quotascope.jobs.threads;
