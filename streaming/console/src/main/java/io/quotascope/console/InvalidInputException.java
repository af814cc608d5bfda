package io.quotascope.console;

/** Something that a person has to correct; the message begins with file and line where known. */
public final class InvalidInputException extends Exception {
    private static final long serialVersionUID = 1L;

    public InvalidInputException(String message) {
        super(message);
    }
}
