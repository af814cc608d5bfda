/** The command line of the synthetic fleet. */
package io.quotascope.fleetsim;
