package io.quotascope.jobs.io.log;

import io.quotascope.domain.window.Refusal;
import io.quotascope.domain.window.RefusalReason;
import io.quotascope.jobs.io.state.ByteForm;
import io.quotascope.jobs.io.state.FramedBytes;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Bytes of a {@link DeadLetter} between operators. */
public final class DeadLetterForm implements ByteForm<DeadLetter> {
    private static final long serialVersionUID = 1L;
    private static final LogRecordForm SOURCE = new LogRecordForm();

    @Override
    public Class<DeadLetter> type() {
        return DeadLetter.class;
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public void write(DeadLetter value, DataOutput out) throws IOException {
        SOURCE.write(value.source(), out);
        out.writeUTF(value.refusal().reason().name());
        out.writeBoolean(value.refusal().field().isPresent());
        if (value.refusal().field().isPresent()) {
            out.writeUTF(value.refusal().field().get());
        }
        // A detail may quote what was found, which may be longer than the 65,535 bytes of writeUTF.
        FramedBytes.write(value.refusal().detail().getBytes(StandardCharsets.UTF_8), out);
    }

    @Override
    public DeadLetter read(DataInput in, int version) throws IOException {
        LogRecord source = SOURCE.read(in, SOURCE.version());
        RefusalReason reason = RefusalReason.valueOf(in.readUTF());
        Optional<String> field = in.readBoolean() ? Optional.of(in.readUTF()) : Optional.empty();
        return new DeadLetter(
                source,
                new Refusal(
                        reason, field, new String(FramedBytes.read(in), StandardCharsets.UTF_8)));
    }
}
