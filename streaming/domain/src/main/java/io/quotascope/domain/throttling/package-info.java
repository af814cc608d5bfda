/** How a service was throttled in one minute. Pinned by schemas/golden/judgements.json. */
package io.quotascope.domain.throttling;
