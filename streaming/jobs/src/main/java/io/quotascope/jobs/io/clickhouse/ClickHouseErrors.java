package io.quotascope.jobs.io.clickhouse;

import java.util.Map;

/**
 * Which errors of ClickHouse repeating cannot heal. Numbers and names are those of ClickHouse's
 * {@code src/Common/ErrorCodes.cpp}. Every code that is not listed is repeated: a wrong guess that
 * way waits, the other way it would stop a job over a passing shortage.
 */
final class ClickHouseErrors {

    private static final Map<Integer, String> FINAL =
            Map.ofEntries(
                    Map.entry(6, "CANNOT_PARSE_TEXT"),
                    Map.entry(16, "NO_SUCH_COLUMN_IN_TABLE"),
                    Map.entry(20, "NUMBER_OF_COLUMNS_DOESNT_MATCH"),
                    Map.entry(26, "CANNOT_PARSE_QUOTED_STRING"),
                    Map.entry(27, "CANNOT_PARSE_INPUT_ASSERTION_FAILED"),
                    Map.entry(33, "CANNOT_READ_ALL_DATA"),
                    Map.entry(36, "BAD_ARGUMENTS"),
                    Map.entry(47, "UNKNOWN_IDENTIFIER"),
                    Map.entry(50, "UNKNOWN_TYPE"),
                    Map.entry(53, "TYPE_MISMATCH"),
                    Map.entry(60, "UNKNOWN_TABLE"),
                    Map.entry(62, "SYNTAX_ERROR"),
                    Map.entry(69, "ARGUMENT_OUT_OF_BOUND"),
                    Map.entry(70, "CANNOT_CONVERT_TYPE"),
                    Map.entry(73, "UNKNOWN_FORMAT"),
                    Map.entry(81, "UNKNOWN_DATABASE"),
                    Map.entry(115, "UNKNOWN_SETTING"),
                    Map.entry(117, "INCORRECT_DATA"),
                    Map.entry(131, "TOO_LARGE_STRING_SIZE"),
                    Map.entry(164, "READONLY"),
                    Map.entry(192, "UNKNOWN_USER"),
                    Map.entry(193, "WRONG_PASSWORD"),
                    Map.entry(349, "CANNOT_INSERT_NULL_IN_ORDINARY_COLUMN"),
                    Map.entry(497, "ACCESS_DENIED"),
                    Map.entry(516, "AUTHENTICATION_FAILED"));

    private ClickHouseErrors() {}

    /**
     * @param status HTTP status
     * @param code ClickHouse's own code, 0 if the answer stated none and so came from something in
     *     between
     */
    static boolean isFinal(int status, int code) {
        if (code != 0) {
            return FINAL.containsKey(code);
        }
        boolean passing = status == 408 || status == 429;
        return status >= 400 && status < 500 && !passing;
    }
}
