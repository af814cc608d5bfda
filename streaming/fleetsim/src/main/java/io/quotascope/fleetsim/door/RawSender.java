package io.quotascope.fleetsim.door;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.Sender;
import io.quotascope.fleetsim.door.FramedWindows.Head;
import io.quotascope.fleetsim.minute.RawMinutes.HostSend;
import io.quotascope.wire.Codecs;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Numbers and frames what hosts send. Each host counts its two kinds of records from 0, lost ones
 * too. Not for two threads at once.
 */
final class RawSender {
    /** Takes a message. */
    @FunctionalInterface
    interface Out {
        void write(String topic, byte[] key, byte[] value);
    }

    private static final class Numbers {
        private long shards;
        private long hosts;
    }

    private final FramedWindows frames = new FramedWindows();
    private final Map<String, Numbers> numbers = new HashMap<>();

    /** Tails of the sends of the window that is being sent: each copy of the fleet needs them. */
    private final Map<HostSend, List<byte[]>> tails = new IdentityHashMap<>();

    private long tailsOfUs;

    /**
     * Sends what one host of one copy of the fleet has to send; returns the number of records.
     *
     * @param copy number of the copy; 0 is the fleet itself
     */
    int send(HostSend send, int copy, Out out) {
        HostReport report = send.report();
        String hostId = named(report.sender().hostId(), copy);
        String cluster = named(report.cluster(), copy);
        Numbers next = numbers.computeIfAbsent(hostId, none -> new Numbers());
        byte[] key = hostId.getBytes(StandardCharsets.UTF_8);
        int sent = 1;
        if (send.arrive()) {
            long epoch = report.sender().agentEpoch();
            Head head = frames.head(hostId, epoch, cluster, report.windowStartUs());
            long seq = next.shards;
            for (byte[] tail : tails(send)) {
                out.write(Topics.CPU_USAGE_WINDOWS, key, frames.framed(head, seq++, tail));
                sent++;
            }
        }
        next.shards += send.windows().size();
        Sender sender = new Sender(hostId, report.sender().agentEpoch(), next.hosts++);
        out.write(
                Topics.HOST_WINDOWS, key, Codecs.HOST_REPORTS.encode(by(report, sender, cluster)));
        return sent;
    }

    private List<byte[]> tails(HostSend send) {
        if (send.report().windowStartUs() != tailsOfUs) {
            tails.clear();
            tailsOfUs = send.report().windowStartUs();
        }
        return tails.computeIfAbsent(
                send,
                each ->
                        IntStream.range(0, each.windows().size())
                                .mapToObj(
                                        n ->
                                                frames.tail(
                                                        each.windows().get(n),
                                                        each.source().get(n)))
                                .toList());
    }

    private static String named(String name, int copy) {
        return copy == 0 ? name : name + "-copy-" + copy;
    }

    private static HostReport by(HostReport report, Sender sender, String cluster) {
        return new HostReport(
                sender,
                report.origin(),
                cluster,
                report.windowStartUs(),
                report.load(),
                report.shape(),
                report.shardRecords(),
                report.serviceRecords(),
                report.untrackedCgroups(),
                report.overflowCgroups(),
                report.agent(),
                report.conduct());
    }
}
