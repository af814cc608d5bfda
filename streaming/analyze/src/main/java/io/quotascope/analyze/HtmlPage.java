package io.quotascope.analyze;

import java.util.List;
import java.util.Locale;

/** A report for a browser: one file, no script, nothing fetched from anywhere. */
final class HtmlPage {
    private static final String STYLE =
            """
            body{font:15px/1.5 system-ui,sans-serif;color:#1b1f24;max-width:60rem;margin:2rem auto;padding:0 1rem}
            h1{font-size:1.5rem}h2{font-size:1.15rem;margin-top:2rem}
            table{border-collapse:collapse;width:100%}
            th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid #d9dee3;vertical-align:top}
            td.text{white-space:pre-wrap}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1.2rem}
            dt{color:#57606a}dd{margin:0}svg{width:100%;height:auto}
            """;

    private HtmlPage() {}

    static String of(Report report) {
        StringBuilder page = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head>");
        page.append("<meta charset=\"utf-8\"><title>").append(escaped(report.title()));
        page.append("</title><style>").append(STYLE).append("</style></head><body>\n<h1>");
        page.append(escaped(report.title())).append("</h1>\n<dl>\n");
        for (Report.Fact fact : report.facts()) {
            page.append("<dt>").append(escaped(fact.label())).append("</dt><dd>");
            page.append(escaped(fact.text())).append("</dd>\n");
        }
        page.append("</dl>\n<h2>Used cores in slices of 10 ms</h2>\n");
        page.append(HistogramPicture.of(report.histogram()));
        report.tables().forEach(table -> table(page, table));
        report.advice().forEach(advice -> advice(page, advice));
        if (!report.caveats().isEmpty()) {
            page.append("<h2>Before believing it</h2>\n<ul>\n");
            report.caveats()
                    .forEach(
                            caveat ->
                                    page.append("<li>").append(escaped(caveat)).append("</li>\n"));
            page.append("</ul>\n");
        }
        return page.append("</body></html>\n").toString();
    }

    private static void advice(StringBuilder page, Report.Advice advice) {
        page.append("<h2>Recommended change</h2>\n<ul>\n");
        advice.reasons()
                .forEach(reason -> page.append("<li>").append(escaped(reason)).append("</li>\n"));
        page.append("</ul>\n");
        for (Report.Setting setting : advice.settings()) {
            page.append("<details><summary>").append(escaped(setting.platform()));
            page.append("</summary><pre>").append(escaped(setting.text())).append("</pre><p>");
            page.append(escaped(setting.remark())).append("</p></details>\n");
        }
    }

    private static void table(StringBuilder page, Report.Table table) {
        page.append("<h2>").append(escaped(table.title())).append("</h2>\n<table>\n");
        row(page, "th", table.columns());
        table.rows().forEach(cells -> row(page, "td class=\"text\"", cells));
        page.append("</table>\n");
    }

    private static void row(StringBuilder page, String tag, List<String> cells) {
        String end = tag.substring(0, 2).toLowerCase(Locale.ROOT);
        page.append("<tr>");
        for (String cell : cells) {
            page.append('<').append(tag).append('>').append(escaped(cell));
            page.append("</").append(end).append('>');
        }
        page.append("</tr>\n");
    }

    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
