/**
 * What the jobs of analyses must have written, computed from a dump of their topic by sorting it:
 * no state, no timers, no watermarks. Only the judgements themselves are the domain's.
 */
package io.quotascope.oracle;
