package io.quotascope.jobs.io.options;

/** An argument or option that a person has to correct; the message names it. */
public final class InvalidOptionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    public InvalidOptionException(String message) {
        super(message);
    }
}
