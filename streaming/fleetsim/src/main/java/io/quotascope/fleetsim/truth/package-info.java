/** What is known of a simulated fleet and hidden from the pipeline: one JSON object a line. */
package io.quotascope.fleetsim.truth;
