/**
 * Bucket layouts, packed counts and sums that merge exactly in any order. Pinned by
 * schemas/golden/histogram_layouts.json, schemas/golden/histogram_packings.json,
 * schemas/golden/histogram_quantiles.json and schemas/golden/second_order.json.
 */
package io.quotascope.domain.histogram;
