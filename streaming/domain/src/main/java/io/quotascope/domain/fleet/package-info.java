/**
 * What owners say about their services, and what every judgement of a window has in common. Pinned
 * by schemas/golden/judgements.json.
 */
package io.quotascope.domain.fleet;
