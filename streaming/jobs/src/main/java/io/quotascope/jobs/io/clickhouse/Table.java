package io.quotascope.jobs.io.clickhouse;

import io.quotascope.jobs.io.clickhouse.TableLayout.Column;
import io.quotascope.wire.avro.ChangeEvent;
import io.quotascope.wire.avro.CollapseRisk;
import io.quotascope.wire.avro.CpuUsageWindow;
import io.quotascope.wire.avro.FleetTotal;
import io.quotascope.wire.avro.HostHour;
import io.quotascope.wire.avro.HostWindow;
import io.quotascope.wire.avro.KernelFinding;
import io.quotascope.wire.avro.PredictionScore;
import io.quotascope.wire.avro.PriceBook;
import io.quotascope.wire.avro.Recommendation;
import io.quotascope.wire.avro.SavingsEstimate;
import io.quotascope.wire.avro.ServiceHour;
import io.quotascope.wire.avro.ServiceLatest;
import io.quotascope.wire.avro.ServiceLoad;
import io.quotascope.wire.avro.ServiceWindow;
import io.quotascope.wire.avro.ShardIdentity;
import io.quotascope.wire.avro.ThreadRatio;
import io.quotascope.wire.avro.ThrottlingAlert;
import io.quotascope.wire.avro.ThrottlingSummary;
import io.quotascope.wire.avro.TuningRank;
import io.quotascope.wire.avro.Verification;
import io.quotascope.wire.avro.WhatIfOutcome;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;

/**
 * The tables of {@code sql/migrations}: which record fills each, what it leaves out and what it
 * adds.
 */
public enum Table {
    /**
     * Scalar fields and the few names of threads: distributions live on in service_windows, 200
     * bytes a shard and 10 s would be most of the disk.
     */
    SHARD_WINDOWS(
            "shard_windows",
            CpuUsageWindow.getClassSchema(),
            Set.of("usage_histogram", "second_order", "runnable_histogram", "exemplar"),
            List.of(
                    Added.QUOTA_CLASS,
                    Added.MISSING_BEFORE,
                    Added.APPEND_TIME,
                    Added.PART,
                    Added.VERSION)),
    HOST_WINDOWS(
            "host_windows",
            HostWindow.getClassSchema(),
            Set.of("usage_histogram", "service_records", "first_records"),
            List.of(Added.MISSING_BEFORE, Added.APPEND_TIME, Added.PART, Added.VERSION)),
    SHARD_IDENTITIES("shard_identities", ShardIdentity.getClassSchema(), Set.of(), List.of()),
    /** The table's version is its revision, which the table says itself. */
    SERVICE_WINDOWS("service_windows", ServiceWindow.getClassSchema(), Set.of(), List.of()),
    THREAD_RATIOS("thread_ratios", ThreadRatio.getClassSchema(), Set.of(), List.of()),
    THROTTLING_SUMMARIES(
            "throttling_summaries", ThrottlingSummary.getClassSchema(), Set.of(), List.of()),
    TUNING_RANKS("tuning_ranks", TuningRank.getClassSchema(), Set.of(), List.of()),
    SERVICE_HOURS("service_hours", ServiceHour.getClassSchema(), Set.of(), List.of()),
    SERVICE_LATEST("service_latest", ServiceLatest.getClassSchema(), Set.of(), List.of()),
    VERIFICATIONS("verifications", Verification.getClassSchema(), Set.of(), List.of()),
    PREDICTION_SCORES("prediction_scores", PredictionScore.getClassSchema(), Set.of(), List.of()),
    COLLAPSE_RISKS("collapse_risks", CollapseRisk.getClassSchema(), Set.of(), List.of()),
    WHAT_IF_OUTCOMES("what_if_outcomes", WhatIfOutcome.getClassSchema(), Set.of(), List.of()),
    SAVINGS_ESTIMATES("savings_estimates", SavingsEstimate.getClassSchema(), Set.of(), List.of()),
    FLEET_TOTALS("fleet_totals", FleetTotal.getClassSchema(), Set.of(), List.of()),
    PRICE_BOOKS("price_books", PriceBook.getClassSchema(), Set.of(), List.of()),
    CHANGE_EVENTS("change_events", ChangeEvent.getClassSchema(), Set.of(), List.of()),
    RECOMMENDATIONS("recommendations", Recommendation.getClassSchema(), Set.of(), List.of()),
    SERVICE_LOADS("service_loads", ServiceLoad.getClassSchema(), Set.of(), List.of()),
    THROTTLING_ALERTS("throttling_alerts", ThrottlingAlert.getClassSchema(), Set.of(), List.of()),
    KERNEL_FINDINGS("kernel_findings", KernelFinding.getClassSchema(), Set.of(), List.of()),
    HOST_HOURS("host_hours", HostHour.getClassSchema(), Set.of(), List.of());

    private final TableLayout layout;

    Table(String name, Schema schema, Set<String> leftOut, List<Column> added) {
        this.layout = new TableLayout(name, schema, leftOut, added);
    }

    /** The table's columns and the bytes of its rows. */
    public TableLayout layout() {
        return layout;
    }

    /** Columns that are no field of the record, because the record's sender cannot know them. */
    private static final class Added {
        static final Column QUOTA_CLASS = new Column("quota_class", "String");
        static final Column MISSING_BEFORE = new Column("missing_before", "Nullable(Int64)");
        static final Column APPEND_TIME = new Column("append_time", ColumnType.INSTANT_MS);
        static final Column PART = new Column("part", "UInt32");
        static final Column VERSION = new Column("version", "UInt64");
    }
}
