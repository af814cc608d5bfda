/**
 * Files that people write: YAML and CSV, each fault with file, line and field. Pinned by {@code
 * InputFileTest}.
 */
package io.quotascope.inputs.text;
