/** Our alerts beside the rules that others page on, over simulated services. */
package io.quotascope.validate.alerts;
