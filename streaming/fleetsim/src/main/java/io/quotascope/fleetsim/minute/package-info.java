/**
 * Minutes of services: templates given the names, places and times of a fleet, as the records of
 * collectors and as the rows that the rollup makes of them.
 */
package io.quotascope.fleetsim.minute;
