/**
 * Explicit byte forms for state and for what travels between operators, so that no Kryo and no
 * reflection decides what a savepoint holds. Pinned by {@code ByteFormTest}.
 */
package io.quotascope.jobs.io.state;
