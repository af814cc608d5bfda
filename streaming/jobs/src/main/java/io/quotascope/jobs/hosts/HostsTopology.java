package io.quotascope.jobs.hosts;

import io.quotascope.domain.alert.ThrottlingAlert;
import io.quotascope.domain.hosts.HostKey;
import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.jobs.io.alerts.AlertBookForm;
import io.quotascope.jobs.io.alerts.AlertForm;
import io.quotascope.jobs.io.alerts.AlertOptions;
import io.quotascope.jobs.io.log.Accepted;
import io.quotascope.jobs.io.state.AvroForm;
import io.quotascope.jobs.io.state.ByteFormType;
import io.quotascope.jobs.io.state.KeyText;
import io.quotascope.wire.HostHours;
import io.quotascope.wire.KernelFindings;
import io.quotascope.wire.avro.HostHour;
import io.quotascope.wire.avro.KernelFinding;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.datastream.ConnectedStreams;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/** From accepted windows of shards and hosts to hours, findings about kernels and alerts. */
public final class HostsTopology {
    private static final TypeInformation<KernelFinding> FINDING =
            new ByteFormType<>(new AvroForm<>(KernelFinding.class, "kernel_finding"));

    /** How the state of alerts about hosts becomes bytes. */
    public static final HostAlertsFunction.StateTypes ALERT_STATE =
            new HostAlertsFunction.StateTypes(
                    new ByteFormType<>(new HostMinuteForm()),
                    new ByteFormType<>(new HostMemoryForm()),
                    new ByteFormType<>(new AlertBookForm()),
                    new ByteFormType<>(new SpeakerForm()));

    /**
     * What decides.
     *
     * @param rules when alerts begin and end
     * @param saturated share of a host's CPUs from which it counts as saturated
     * @param forgottenMs silence after which a host is taken for gone, milliseconds
     * @param revision reprocessing revision
     */
    public record Policy(
            AlertOptions.Rules rules, double saturated, long forgottenMs, long revision) {}

    /**
     * @param hours hours of hosts
     * @param findings findings about their kernels
     * @param alerts alerts about hosts
     */
    public record Output(
            DataStream<HostHour> hours,
            DataStream<KernelFinding> findings,
            DataStream<ThrottlingAlert> alerts) {}

    private HostsTopology() {}

    /**
     * @param shards shard windows, each once, with the clock of the log
     * @param hosts host windows, each once, with the clock of the log
     */
    public static Output build(
            DataStream<Accepted<ShardWindow>> shards,
            DataStream<Accepted<HostReport>> hosts,
            Policy policy) {
        ConnectedStreams<Accepted<ShardWindow>, Accepted<HostReport>> byHost =
                shards.keyBy(each -> keyText(HostKey.of(each.record())), Types.STRING)
                        .connect(
                                hosts.keyBy(
                                        each -> keyText(HostKey.of(each.record())), Types.STRING));
        OutputTag<KernelFinding> findings = new OutputTag<>("findings", FINDING);
        SingleOutputStreamOperator<HostHour> hours =
                byHost.process(
                                new HostHoursFunction<>(
                                        new ByteFormType<>(new HostSpanForm()),
                                        HostHours::toAvro,
                                        KernelFindings::toAvro,
                                        findings,
                                        policy.saturated(),
                                        policy.revision()),
                                new ByteFormType<>(new AvroForm<>(HostHour.class, "host_hour")))
                        .uid("host-hours")
                        .name("hours of hosts");
        DataStream<ThrottlingAlert> alerts =
                byHost.process(
                                new HostAlertsFunction(
                                        ALERT_STATE,
                                        policy.rules(),
                                        policy.saturated(),
                                        policy.forgottenMs(),
                                        policy.revision()),
                                new ByteFormType<>(new AlertForm()))
                        .uid("host-alerts")
                        .name("alerts about hosts");
        return new Output(hours, hours.getSideOutput(findings), alerts);
    }

    private static String keyText(HostKey key) {
        return KeyText.of(key.origin().label(), key.cluster(), key.hostId());
    }
}
