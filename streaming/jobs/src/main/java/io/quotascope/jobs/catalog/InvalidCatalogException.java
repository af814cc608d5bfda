package io.quotascope.jobs.catalog;

/**
 * Something in a catalog file that a person has to correct; the message begins with file and line.
 */
public final class InvalidCatalogException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidCatalogException(String message) {
        super(message);
    }
}
