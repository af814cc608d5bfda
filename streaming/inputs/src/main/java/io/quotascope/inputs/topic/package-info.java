/** Kafka: what lies in a topic now, and how something is added to it. */
package io.quotascope.inputs.topic;
