/**
 * Windows as the collectors send them, the time/part rule, and the sums of one service and minute
 * that are the same bits in any order of arrival. Pinned by schemas/golden/window_parts.json and
 * schemas/golden/quota_classes.json.
 */
package io.quotascope.domain.window;
