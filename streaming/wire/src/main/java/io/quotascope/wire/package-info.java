/**
 * The only place that knows Avro: framing, schemas old and new, and the maps between records and
 * the domain. Pinned by schemas/golden/avro, of which every language writes its own files and reads
 * the others'.
 */
package io.quotascope.wire;
