/**
 * What commands that speak to Kafka have in common: where it is, and how a fault is told. Pinned by
 * {@code ShellTest}.
 */
package io.quotascope.console;
