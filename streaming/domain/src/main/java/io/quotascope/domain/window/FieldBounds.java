package io.quotascope.domain.window;

import io.quotascope.domain.histogram.PackingCheck;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Looks at fields one after the other and keeps the first that is outside its bounds. */
final class FieldBounds {
    /** Beyond this an integer is no longer exact as a double. */
    static final long EXACT_MAX = 1L << 53;

    private static final int TEXT_CHARS_MAX = 512;

    private Refusal first;

    Optional<Refusal> refusal() {
        return Optional.ofNullable(first);
    }

    FieldBounds text(String field, String value) {
        if (first == null
                && (value.isEmpty() || value.codePointCount(0, value.length()) > TEXT_CHARS_MAX)) {
            refuse(
                    field,
                    "is " + value.length() + " characters long, expected 1 to " + TEXT_CHARS_MAX);
        }
        return this;
    }

    FieldBounds within(String field, long value, long least, long most) {
        if (first == null && (value < least || value > most)) {
            refuse(field, "is " + value + ", expected " + least + " to " + most);
        }
        return this;
    }

    FieldBounds count(String field, long value) {
        return within(field, value, 0, EXACT_MAX);
    }

    FieldBounds count(String field, OptionalLong value) {
        return value.isEmpty() ? this : count(field, value.getAsLong());
    }

    FieldBounds within(String field, OptionalLong value, long least, long most) {
        return value.isEmpty() ? this : within(field, value.getAsLong(), least, most);
    }

    /** Packed numbers that must hold exactly so many members. */
    FieldBounds holds(String field, PackingCheck check, long members) {
        return first != null ? this : holdsBetween(field, check, members, members);
    }

    /** Packed numbers that may hold up to so many members. */
    FieldBounds holdsAtMost(String field, PackingCheck check, long most) {
        return first != null ? this : holdsBetween(field, check, 0, most);
    }

    private FieldBounds holdsBetween(String field, PackingCheck check, long least, long most) {
        if (check instanceof PackingCheck.Broken broken) {
            refuse(field, "cannot be unpacked: " + broken.fault().name().toLowerCase(Locale.ROOT));
        } else if (check instanceof PackingCheck.Holds holds
                && (holds.members() < least || holds.members() > most)) {
            refuse(
                    field,
                    "holds "
                            + holds.members()
                            + " samples, expected "
                            + (least == most ? "" : "at most ")
                            + most);
        }
        return this;
    }

    private void refuse(String field, String detail) {
        first = Refusal.ofField(field, field + ' ' + detail);
    }
}
