package io.quotascope.jobs.io.options;

import java.time.Duration;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.util.TimeUtils;

/**
 * The text of {@code docs/options/<group>.md}: options are documented where they are declared and
 * nowhere else.
 */
public final class OptionPage {

    private OptionPage() {}

    /** The page of one group. */
    public static String of(OptionGroup group) {
        StringBuilder page = new StringBuilder();
        page.append("# Options: ")
                .append(group.name())
                .append("\n\n")
                .append(group.purpose())
                .append('\n');
        page.append("Given as `--key value` or as lines `key=value` of the file of `--config`.\n");
        page.append(
                "Generated from the declarations in `streaming/jobs`; a test fails when the two differ (`mvn test -Dgolden.update=true` rewrites this page).\n\n");
        page.append("| option | type | default | meaning |\n|---|---|---|---|\n");
        for (ConfigOption<?> option : group.options()) {
            page.append("| `")
                    .append(option.key())
                    .append("` | ")
                    .append(type(option))
                    .append(" | ")
                    .append(defaultValue(option));
            page.append(" | ")
                    .append(new HtmlFormatter().format(option.description()))
                    .append(" |\n");
        }
        return page.toString();
    }

    /** The name of an option's type; an option without a default is text. */
    static String type(ConfigOption<?> option) {
        if (!option.hasDefaultValue()) {
            return "text";
        }
        Object value = option.defaultValue();
        if (value instanceof Duration) {
            return "duration";
        }
        if (value instanceof Integer || value instanceof Long) {
            return "integer";
        }
        if (value instanceof Double) {
            return "number";
        }
        return value instanceof Boolean ? "true or false" : "text";
    }

    private static String defaultValue(ConfigOption<?> option) {
        if (!option.hasDefaultValue()) {
            return "";
        }
        Object value = option.defaultValue();
        return "`"
                + (value instanceof Duration duration
                        ? TimeUtils.formatWithHighestUnit(duration)
                        : value)
                + "`";
    }
}
