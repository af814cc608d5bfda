/** Random services whose truth is simulated: one population to develop on, another to hold out. */
package io.quotascope.validate.population;
