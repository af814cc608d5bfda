/** What an estimator is shown, what it is asked, and how it answers. */
package io.quotascope.validate.estimate;
