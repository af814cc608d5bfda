package io.quotascope.jobs.io.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.quotascope.domain.window.HostReport;
import io.quotascope.domain.window.Refusal;
import io.quotascope.domain.window.RefusalReason;
import io.quotascope.domain.window.ShardWindow;
import io.quotascope.domain.window.WindowPart;
import io.quotascope.jobs.fixture.Bytes;
import io.quotascope.jobs.fixture.HostRecord;
import io.quotascope.jobs.fixture.ShardRecord;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What travels between operators arrives as it left. */
class LogFormsTest {
    private static final WindowPart PART = new WindowPart(60_000_000, 12);

    @Test
    void messagesAndTicksArriveAsTheyLeft() {
        LogRecord message =
                Bytes.roundTrip(
                        new LogRecordForm(),
                        new LogRecord("topic", 3, 1L << 40, 99, new byte[] {1, 2}));
        assertThat(message.place()).isEqualTo("topic/3/1099511627776");
        assertThat(message.value()).containsExactly(1, 2);
        assertThat(message.appendTimeMs()).isEqualTo(99);
        LogRecord tick =
                Bytes.roundTrip(new LogRecordForm(), new LogRecord("topic", 3, 7, 99, null));
        assertThat(tick.isTick()).isTrue();
        assertThat(
                        Bytes.roundTrip(
                                        new LogRecordForm(),
                                        new LogRecord("topic", 3, 7, 99, new byte[0]))
                                .isTick())
                .as("an empty message is no tick")
                .isFalse();
    }

    @Test
    void deadLettersArriveAsTheyLeftHoweverLongTheirDetail() {
        LogRecord source = new LogRecord("topic", 3, 7, 99, new byte[] {1});
        DeadLetter field =
                Bytes.roundTrip(
                        new DeadLetterForm(),
                        new DeadLetter(source, Refusal.ofField("usage_us", "é".repeat(70_000))));
        assertThat(field.refusal()).isEqualTo(Refusal.ofField("usage_us", "é".repeat(70_000)));
        DeadLetter whole =
                Bytes.roundTrip(
                        new DeadLetterForm(),
                        new DeadLetter(source, Refusal.of(RefusalReason.TOO_OLD, "late")));
        assertThat(whole.refusal().code()).isEqualTo("too_old");
    }

    @Test
    void acceptedRecordsArriveAsTheyLeft() {
        ShardRecord shard = new ShardRecord();
        Accepted<ShardWindow> shards =
                Bytes.roundTrip(
                        new AcceptedForm.OfShards(),
                        new Accepted<>(shard.framed(), shard.build(), 5, PART, OptionalLong.of(3)));
        assertThat(shards.record()).isEqualTo(shard.build());
        assertThat(shards.part()).isEqualTo(PART);
        HostRecord host = new HostRecord().sent("checkout", 2);
        Accepted<HostReport> hosts =
                Bytes.roundTrip(
                        new AcceptedForm.OfHosts(),
                        new Accepted<>(host.framed(), host.build(), 5, PART, OptionalLong.empty()));
        assertThat(hosts.record()).isEqualTo(host.build());
        assertThat(hosts.appendTimeMs()).isEqualTo(5);
    }
}
