/** Answers to recommendations. Pinned by {@code LedgerFileTest}; the rules are the domain's. */
package io.quotascope.inputs.ledger;
