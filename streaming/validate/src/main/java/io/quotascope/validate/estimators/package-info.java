/** The estimators of the domain, each behind the interface of the validation. */
package io.quotascope.validate.estimators;
