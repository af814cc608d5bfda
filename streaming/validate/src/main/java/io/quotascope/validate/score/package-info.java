/** Asks estimators, compares their answers with truths and counts. */
package io.quotascope.validate.score;
