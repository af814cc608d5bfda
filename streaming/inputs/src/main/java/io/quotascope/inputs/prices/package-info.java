/** The price book, from YAML to its topic. Pinned by {@code PriceBookFileTest}. */
package io.quotascope.inputs.prices;
