/** The simulator against a real kernel: the same requests, the same CPU time, both accounts. */
package io.quotascope.validate.kernel;
