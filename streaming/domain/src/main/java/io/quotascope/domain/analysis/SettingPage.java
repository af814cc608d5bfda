package io.quotascope.domain.analysis;

import io.quotascope.domain.whatif.advice.Setting;
import io.quotascope.domain.whatif.advice.SettingText;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** How to apply a setting on every platform, on one page. */
final class SettingPage {
    private SettingPage() {}

    /**
     * All texts, each under the name of its platform and with its remark.
     *
     * @param name of the container or unit
     */
    static String of(Setting setting, String name) {
        List<SettingText> texts = SettingText.of(setting, name);
        return texts.stream()
                .map(
                        each ->
                                "# "
                                        + each.platform().name().toLowerCase(Locale.ROOT)
                                        + (each.remark().isEmpty() ? "" : ": " + each.remark())
                                        + "\n"
                                        + each.text().strip())
                .collect(Collectors.joining("\n"));
    }
}
