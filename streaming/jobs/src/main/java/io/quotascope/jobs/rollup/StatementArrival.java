package io.quotascope.jobs.rollup;

import io.quotascope.domain.window.HostStatement;
import io.quotascope.domain.window.WindowPart;

/**
 * What one accepted host window says about one service and class.
 *
 * @param statement the statement
 * @param part the row that it adds to
 */
public record StatementArrival(HostStatement statement, WindowPart part) {}
