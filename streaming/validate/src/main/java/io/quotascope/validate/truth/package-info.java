/** What really happens to the services of a population, found by simulating it. */
package io.quotascope.validate.truth;
