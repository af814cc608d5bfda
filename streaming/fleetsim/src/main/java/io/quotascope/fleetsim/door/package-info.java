/** The two doors: records of collectors, and rows of the rollup, on their topics. */
package io.quotascope.fleetsim.door;
