/** Which service to look at first, and why. Pinned by schemas/golden/judgements.json. */
package io.quotascope.domain.rank;
