/** How many threads stand behind each reserved core. Pinned by schemas/golden/judgements.json. */
package io.quotascope.domain.threads;
