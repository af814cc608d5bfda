package io.quotascope.analyze;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A report for programs: names of the glossary, numbers as numbers. */
final class JsonPage {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private JsonPage() {}

    static String of(Report report) {
        Map<String, Object> page = new LinkedHashMap<>();
        page.put("title", report.title());
        Map<String, Object> facts = new LinkedHashMap<>();
        report.facts().forEach(fact -> facts.put(fact.name(), fact.value()));
        page.put("facts", facts);
        page.put("usage_histogram", report.histogram());
        for (Report.Table table : report.tables()) {
            page.put(table.name(), rows(table));
        }
        page.put("recommended", report.advice());
        page.put("caveats", report.caveats());
        try {
            return JSON.writeValueAsString(page) + '\n';
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a report is plain texts and numbers", impossible);
        }
    }

    private static List<Map<String, String>> rows(Report.Table table) {
        return table.rows().stream()
                .map(
                        row -> {
                            Map<String, String> named = new LinkedHashMap<>();
                            for (int column = 0; column < row.size(); column++) {
                                named.put(table.columns().get(column), row.get(column));
                            }
                            return named;
                        })
                .toList();
    }
}
