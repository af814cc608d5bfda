/** Changes of services, as people and deploy systems tell them. Pinned by {@code ChangesTest}. */
package io.quotascope.inputs.changes;
