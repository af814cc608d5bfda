package io.quotascope.analyze;

import java.io.Serial;

/** Input that cannot be analysed; the message names file, line and remedy for a person. */
public final class UnusableInputException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    /** A fault in a line of a file, counted from 1. */
    public UnusableInputException(String file, int line, String fault) {
        super(file + ':' + line + ": " + fault);
    }

    /** A fault of the whole file. */
    public UnusableInputException(String file, String fault) {
        super(file + ": " + fault);
    }
}
