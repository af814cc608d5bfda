/** Fits the constants of the domain on development services and prints them. */
package io.quotascope.validate.fit;
