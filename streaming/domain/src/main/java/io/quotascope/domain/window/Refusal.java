package io.quotascope.domain.window;

import java.util.Optional;

/**
 * A message that is set aside, and why.
 *
 * @param reason the kind of fault
 * @param field the field at fault, for {@link RefusalReason#INVALID_FIELD} only
 * @param detail a sentence for a person: what was found, what was expected
 */
public record Refusal(RefusalReason reason, Optional<String> field, String detail) {
    /** A fault that no single field has. */
    public static Refusal of(RefusalReason reason, String detail) {
        return new Refusal(reason, Optional.empty(), detail);
    }

    /** A field outside its bounds. */
    public static Refusal ofField(String field, String detail) {
        return new Refusal(RefusalReason.INVALID_FIELD, Optional.of(field), detail);
    }

    /** The text of the dead letter's reason header. */
    public String code() {
        return field.map(name -> reason.label() + ':' + name).orElse(reason.label());
    }
}
