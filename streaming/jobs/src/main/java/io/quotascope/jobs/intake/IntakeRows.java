package io.quotascope.jobs.intake;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardIdentity;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.jobs.io.clickhouse.TableRow;
import io.quotascope.jobs.io.log.Accepted;
import io.quotascope.wire.HostReports;
import io.quotascope.wire.ShardIdentities;
import io.quotascope.wire.ShardWindows;
import java.util.Arrays;

/**
 * The rows of what intake accepts; the added columns are those of {@link
 * io.quotascope.jobs.io.clickhouse.Table}, in its order.
 */
public final class IntakeRows {

    private IntakeRows() {}

    /** A row of shard_windows. */
    public static TableRow ofShard(Accepted<ShardWindow> accepted, long revision) {
        return new TableRow(
                ShardWindows.toAvro(accepted.record()),
                Arrays.asList(
                        accepted.record().bandwidth().quotaClass(),
                        missingBefore(accepted),
                        accepted.appendTimeMs(),
                        accepted.part().part(),
                        revision));
    }

    /** A row of host_windows. */
    public static TableRow ofHost(Accepted<HostReport> accepted, long revision) {
        return new TableRow(
                HostReports.toAvro(accepted.record()),
                Arrays.asList(
                        missingBefore(accepted),
                        accepted.appendTimeMs(),
                        accepted.part().part(),
                        revision));
    }

    private static Long missingBefore(Accepted<?> accepted) {
        return accepted.missingBefore().isPresent() ? accepted.missingBefore().getAsLong() : null;
    }

    /** A row of shard_identities. */
    public static TableRow ofIdentity(ShardIdentity identity) {
        return TableRow.of(ShardIdentities.toAvro(identity));
    }
}
