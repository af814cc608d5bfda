package io.quotascope.jobs.io.clickhouse;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.jobs.fixture.Migrations;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Avro schemas on the one side, sql/migrations on the other: what is inserted is what the tables
 * have.
 */
class TableColumnsTest {

    @ParameterizedTest
    @EnumSource(Table.class)
    void insertsExactlyTheColumnsOfTheMigrationWithTheirTypes(Table table) {
        Map<String, String> inserted = new LinkedHashMap<>();
        table.layout().columns().forEach(column -> inserted.put(column.name(), column.type()));
        Map<String, String> migrated = Migrations.columns(table.layout().table());
        if (table == Table.SERVICE_WINDOWS) {
            // The migration fills it from the revision, which is inserted.
            assertThat(migrated.remove("version")).isEqualTo("UInt64");
        }
        assertThat(inserted).containsExactlyInAnyOrderEntriesOf(migrated);
    }
}
