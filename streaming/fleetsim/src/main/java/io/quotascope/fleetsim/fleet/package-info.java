/**
 * What a simulated fleet consists of and what is wrong with it, drawn from a seed. Nothing here
 * knows how it behaves.
 */
package io.quotascope.fleetsim.fleet;
