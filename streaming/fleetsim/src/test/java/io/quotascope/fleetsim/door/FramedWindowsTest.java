package io.quotascope.fleetsim.door;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.fleetsim.fleet.Fleet;
import io.quotascope.fleetsim.fleet.FleetSettings;
import io.quotascope.fleetsim.minute.RawMinutes;
import io.quotascope.fleetsim.minute.RawMinutes.HostSend;
import io.quotascope.fleetsim.template.Templates;
import io.quotascope.wire.Codecs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The raw door: framed by hand, the same as by the codec; numbered as collectors number. */
final class FramedWindowsTest {
    private static final FleetSettings SETTINGS =
            new FleetSettings(3, 12, 30, 20_000 * FleetSettings.DAY_US, 2);
    private static final Fleet FLEET = Fleet.draw(SETTINGS);
    private static final RawMinutes RAW = new RawMinutes(FLEET, new Templates(SETTINGS.seed()));

    @Test
    void framedByHandIsFramedByTheCodec() {
        FramedWindows frames = new FramedWindows();
        int compared = 0;
        int exemplars = 0;
        for (int minute = 0; minute < 6; minute++) {
            for (List<HostSend> slot : RAW.sends(SETTINGS.startUs() + minute * 60_000_000L)) {
                for (HostSend send : slot) {
                    HostReport report = send.report();
                    FramedWindows.Head head =
                            frames.head(
                                    report.sender().hostId(),
                                    report.sender().agentEpoch(),
                                    report.cluster(),
                                    report.windowStartUs());
                    for (int number = 0; number < send.windows().size(); number++) {
                        ShardWindow window = send.windows().get(number);
                        byte[] tail = frames.tail(window, send.source().get(number));
                        assertThat(frames.framed(head, window.sender().seq(), tail))
                                .isEqualTo(Codecs.SHARD_WINDOWS.encode(window));
                        compared++;
                        exemplars += window.exemplar().isPresent() ? 1 : 0;
                    }
                }
            }
        }
        assertThat(compared).isGreaterThan(900);
        assertThat(exemplars).isGreaterThan(20);
    }

    @Test
    void hostsCountTheirRecordsAndCopiesAreOtherHosts() {
        RawSender sender = new RawSender();
        Map<String, Long> nextShard = new HashMap<>();
        Map<String, Long> nextHost = new HashMap<>();
        for (List<HostSend> slot : RAW.sends(SETTINGS.startUs())) {
            for (HostSend send : slot) {
                for (int copy = 0; copy < 2; copy++) {
                    sender.send(
                            send,
                            copy,
                            (topic, key, value) -> check(topic, value, nextShard, nextHost));
                }
            }
        }
        assertThat(nextShard.keySet()).anyMatch(host -> host.endsWith("-copy-1"));
        assertThat(nextHost)
                .hasSizeGreaterThan(2)
                .allSatisfy((host, next) -> assertThat(next).isEqualTo(6));
    }

    private static void check(
            String topic, byte[] value, Map<String, Long> nextShard, Map<String, Long> nextHost) {
        boolean shard = topic.equals(Topics.CPU_USAGE_WINDOWS);
        var sender =
                shard
                        ? Codecs.SHARD_WINDOWS.decode(value).orElseThrow().sender()
                        : Codecs.HOST_REPORTS.decode(value).orElseThrow().sender();
        Map<String, Long> next = shard ? nextShard : nextHost;
        assertThat(sender.seq()).isEqualTo(next.getOrDefault(sender.hostId(), 0L));
        next.put(sender.hostId(), sender.seq() + 1);
    }

    @Test
    void hostsStateWhatTheySendToEachService() {
        for (HostSend send : RAW.sends(SETTINGS.startUs()).get(0)) {
            int stated =
                    send.report().serviceRecords().stream()
                            .mapToInt(each -> each.shardRecords())
                            .sum();
            assertThat(stated)
                    .isEqualTo(send.windows().size())
                    .isEqualTo(send.report().shardRecords());
            assertThat(io.quotascope.domain.window.Validation.of(send.report())).isEmpty();
            assertThat(send.windows())
                    .allMatch(
                            window -> io.quotascope.domain.window.Validation.of(window).isEmpty());
        }
    }
}
