package io.quotascope.jobs.io.clickhouse;

import java.io.IOException;

/**
 * ClickHouse will refuse these rows however often they are sent: table, columns, rights or bytes
 * are wrong.
 */
final class RefusedInsertException extends IOException {
    private static final long serialVersionUID = 1L;

    RefusedInsertException(String message) {
        super(message);
    }

    RefusedInsertException(String message, Throwable cause) {
        super(message, cause);
    }
}
