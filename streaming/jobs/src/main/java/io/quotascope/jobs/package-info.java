/** The jobs, by the question each answers; what composes several of them is here. */
package io.quotascope.jobs;
