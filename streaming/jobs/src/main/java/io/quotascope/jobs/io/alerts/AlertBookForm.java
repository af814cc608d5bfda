package io.quotascope.jobs.io.alerts;

import io.quotascope.domain.alert.AlertBook;
import io.quotascope.domain.alert.AlertEpisode;
import io.quotascope.domain.alert.AlertKind;
import io.quotascope.domain.alert.AlertSeverity;
import io.quotascope.jobs.io.state.ByteForm;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Bytes of an {@link AlertBook} in state. Kinds and severities go by name. */
public final class AlertBookForm implements ByteForm<AlertBook> {
    private static final long serialVersionUID = 1L;

    @Override
    public Class<AlertBook> type() {
        return AlertBook.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(AlertBook value, DataOutput out) throws IOException {
        out.writeInt(value.episodes().size());
        for (Map.Entry<AlertKind, AlertEpisode> entry : value.episodes().entrySet()) {
            AlertEpisode episode = entry.getValue();
            out.writeUTF(entry.getKey().name());
            out.writeLong(episode.lastMinuteUs());
            out.writeInt(episode.streak());
            out.writeLong(episode.sinceUs());
            out.writeUTF(episode.firing().map(AlertSeverity::name).orElse(""));
        }
    }

    @Override
    public AlertBook read(DataInput in, int version) throws IOException {
        TreeMap<AlertKind, AlertEpisode> episodes = new TreeMap<>();
        for (int left = in.readInt(); left > 0; left--) {
            AlertKind kind = AlertKind.valueOf(in.readUTF());
            long lastMinuteUs = in.readLong();
            int streak = in.readInt();
            long sinceUs = in.readLong();
            Optional<AlertSeverity> firing =
                    Optional.of(in.readUTF())
                            .filter(name -> !name.isEmpty())
                            .map(AlertSeverity::valueOf);
            episodes.put(kind, new AlertEpisode(lastMinuteUs, streak, sinceUs, firing));
        }
        return new AlertBook(episodes);
    }
}
