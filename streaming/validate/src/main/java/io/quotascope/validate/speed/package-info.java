/** What simulating costs. */
package io.quotascope.validate.speed;
