package io.quotascope.domain.ledger;

/** A step that the ledger does not allow; the message says which and what can be done. */
public final class IllegalStepException extends Exception {
    private static final long serialVersionUID = 1L;

    IllegalStepException(String message) {
        super(message);
    }
}
