package io.quotascope.inputs.changes;

import io.quotascope.console.InvalidInputException;
import io.quotascope.domain.verification.ChangeEvent;
import io.quotascope.domain.verification.ChangeEvent.Kind;
import io.quotascope.domain.verification.ChangeEvent.Source;
import io.quotascope.domain.verification.ChangeEvent.Wording;
import io.quotascope.domain.window.Origin;
import io.quotascope.inputs.text.Fields;
import io.quotascope.inputs.text.InputFile;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** The fields of one change, named as in schemas/change_event.avsc. */
final class ChangeFields {
    static final List<String> KINDS = Arrays.stream(Kind.values()).map(Kind::label).toList();
    static final InputFile.Form FORM =
            InputFile.Form.of(
                    "changes",
                    List.of(),
                    List.of(
                            "origin",
                            "cluster",
                            "service",
                            "event_id",
                            "changed_at",
                            "kind",
                            "quota_class",
                            "recommendation_id",
                            "setting_before",
                            "setting_after",
                            "author",
                            "note"));

    private ChangeFields() {}

    static ChangeEvent read(Fields fields) throws InvalidInputException {
        Origin origin =
                origin(
                        fields.oneOf("origin", List.of("measured", "replayed", "simulated"))
                                .orElse("measured"));
        String cluster = fields.requiredText("cluster");
        String service = fields.requiredText("service");
        OptionalLong at = fields.instantUs("changed_at");
        if (at.isEmpty()) {
            throw fields.missing("changed_at");
        }
        Kind kind = kind(fields.oneOf("kind", KINDS).orElseThrow(() -> fields.missing("kind")));
        Wording wording =
                new Wording(
                        fields.text("setting_before"),
                        fields.text("setting_after"),
                        fields.text("author"),
                        fields.text("note"));
        String id =
                fields.text("event_id")
                        .orElse(ChangeEvent.idOf(Source.DECLARED, kind, at.getAsLong()));
        var quotaClass = fields.text("quota_class");
        var recommendation = fields.text("recommendation_id");
        return fields.made(
                () ->
                        new ChangeEvent(
                                origin,
                                cluster,
                                service,
                                id,
                                at.getAsLong(),
                                kind,
                                Source.DECLARED,
                                quotaClass,
                                recommendation,
                                wording,
                                1,
                                false));
    }

    static Kind kind(String label) {
        return Kind.valueOf(label.toUpperCase(Locale.ROOT));
    }

    static Origin origin(String label) {
        return Origin.valueOf(label.toUpperCase(Locale.ROOT));
    }
}
