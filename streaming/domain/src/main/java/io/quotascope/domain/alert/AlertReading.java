package io.quotascope.domain.alert;

import java.util.List;
import java.util.OptionalDouble;

/**
 * What a minute says about one kind of alert.
 *
 * @param kind the kind
 * @param value the value in the kind's unit; absent when the minute does not tell, and then nothing
 *     changes
 * @param reasons why the value is what it is, in words
 */
public record AlertReading(AlertKind kind, OptionalDouble value, List<String> reasons) {
    /** A reading that cannot be changed. */
    public AlertReading {
        reasons = List.copyOf(reasons);
    }

    /** A value with its reasons. */
    public static AlertReading of(AlertKind kind, double value, List<String> reasons) {
        return new AlertReading(kind, OptionalDouble.of(value), reasons);
    }

    /** The minute does not tell. */
    public static AlertReading absent(AlertKind kind) {
        return new AlertReading(kind, OptionalDouble.empty(), List.of());
    }
}
