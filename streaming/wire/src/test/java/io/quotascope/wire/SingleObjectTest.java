package io.quotascope.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.quotascope.domain.window.RefusalReason;
import io.quotascope.wire.avro.CpuUsageWindow;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.Size;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

class SingleObjectTest {
    private static final SingleObject<CpuUsageWindow> FORMAT =
            new SingleObject<>(CpuUsageWindow.class, "cpu_usage_window");

    private static CpuUsageWindow full() throws IOException {
        return JsonTwin.read(
                Path.of("../../schemas/golden/avro/cpu_usage_window_full.json"),
                CpuUsageWindow.class);
    }

    private static RefusalReason reason(byte[] bytes) {
        Decoded<CpuUsageWindow> decoded = FORMAT.decode(bytes);
        assertThat(decoded).isInstanceOf(Decoded.Refused.class);
        return ((Decoded.Refused<CpuUsageWindow>) decoded).refusal().reason();
    }

    @Example
    void theHeaderIsTheMarkerAndTheFingerprintInLittleEndian() throws IOException {
        ByteBuffer framed = ByteBuffer.wrap(FORMAT.encode(full())).order(ByteOrder.LITTLE_ENDIAN);
        assertThat(framed.get()).isEqualTo((byte) 0xC3);
        assertThat(framed.get()).isEqualTo((byte) 0x01);
        assertThat(framed.getLong())
                .isEqualTo(SingleObject.fingerprint(CpuUsageWindow.getClassSchema()));
    }

    @Example
    void avrosOwnDecoderReadsWhatWeWrite() throws IOException {
        assertThat(CpuUsageWindow.fromByteBuffer(ByteBuffer.wrap(FORMAT.encode(full()))))
                .isEqualTo(full());
    }

    @Example
    void whatIsNotFramedIsRefused() throws IOException {
        byte[] framed = FORMAT.encode(full());
        assertThat(reason(new byte[0])).isEqualTo(RefusalReason.BAD_FRAMING);
        assertThat(reason("not avro at all".getBytes())).isEqualTo(RefusalReason.BAD_FRAMING);
        assertThat(reason(Arrays.copyOf(framed, 9))).isEqualTo(RefusalReason.BAD_FRAMING);
        framed[1] = 2;
        assertThat(reason(framed)).isEqualTo(RefusalReason.BAD_FRAMING);
    }

    @Example
    void anotherSchemaIsUnknown() throws IOException {
        byte[] framed = FORMAT.encode(full());
        framed[5] ^= 1;
        assertThat(reason(framed)).isEqualTo(RefusalReason.UNKNOWN_SCHEMA);
    }

    @Example
    void everyTruncationIsUndecodable() throws IOException {
        byte[] framed = FORMAT.encode(full());
        for (int length = 10; length < framed.length; length++) {
            assertThat(reason(Arrays.copyOf(framed, length))).isEqualTo(RefusalReason.UNDECODABLE);
        }
    }

    @Example
    void whatFollowsTheRecordIsRefused() throws IOException {
        byte[] framed = FORMAT.encode(full());
        assertThat(reason(Arrays.copyOf(framed, framed.length + 1)))
                .isEqualTo(RefusalReason.TRAILING_BYTES);
    }

    @Example
    void aLengthThatTheMessageCannotHoldIsRefusedBeforeAnythingIsAllocated() throws IOException {
        byte[] header = Arrays.copyOf(FORMAT.encode(full()), 10);
        // host_id announces 2^31 - 9 bytes, which the zigzag varint ee ff ff ff 0f states
        byte[] poisoned = Arrays.copyOf(header, 16);
        System.arraycopy(HexFormat.of().parseHex("eeffffff0f"), 0, poisoned, 10, 5);
        assertThat(reason(poisoned)).isEqualTo(RefusalReason.UNDECODABLE);
    }

    @Example
    void textThatIsNotUtf8IsRefusedAndAReplacementCharacterIsNot() throws IOException {
        CpuUsageWindow window = full();
        window.setHostId("a\uFFFDb");
        byte[] framed = FORMAT.encode(window);
        assertThat(FORMAT.decode(framed).orElseThrow()).isEqualTo(window);
        // host_id is the first field: length, 'a', ef bf bd, 'b'; ef bf 41 is no UTF-8
        assertThat(framed[14]).isEqualTo((byte) 0xBD);
        framed[14] = 'A';
        assertThat(reason(framed)).isEqualTo(RefusalReason.UNDECODABLE);
    }

    @Property(tries = 2000)
    void anyBodyIsReadOrRefused(@ForAll @Size(max = 200) byte[] body) throws IOException {
        byte[] framed = Arrays.copyOf(FORMAT.encode(full()), 10 + body.length);
        System.arraycopy(body, 0, framed, 10, body.length);
        assertThat(FORMAT.decode(framed)).isNotNull();
    }

    @Property(tries = 2000)
    void anyFlippedByteIsReadOrRefused(@ForAll int at, @ForAll byte flip) throws IOException {
        byte[] framed = FORMAT.encode(full());
        framed[Math.floorMod(at, framed.length)] ^= flip;
        assertThat(FORMAT.decode(framed)).isNotNull();
    }

    @Example
    void aRecordOfAnOlderSchemaReadsWithTodaysDefaults() throws IOException {
        Schema older = withoutLastField(CpuUsageWindow.getClassSchema());
        byte[] framed = encoded(older, full());
        assertThat(reason(framed)).isEqualTo(RefusalReason.UNKNOWN_SCHEMA);
        CpuUsageWindow expected = full();
        expected.setPeriodPhaseUs(null); // the last field
        assertThat(
                        new SingleObject<>(CpuUsageWindow.class, "cpu_usage_window", List.of(older))
                                .decode(framed)
                                .orElseThrow())
                .isEqualTo(expected);
    }

    private static Schema withoutLastField(Schema schema) {
        List<Schema.Field> fields =
                schema.getFields().stream()
                        .limit(schema.getFields().size() - 1)
                        .map(field -> new Schema.Field(field, field.schema()))
                        .toList();
        return Schema.createRecord(
                schema.getName(), schema.getDoc(), schema.getNamespace(), false, fields);
    }

    private static byte[] encoded(Schema older, CpuUsageWindow window) throws IOException {
        GenericRecord record = new GenericData.Record(older);
        for (Schema.Field field : older.getFields()) {
            Object value = window.get(field.pos());
            record.put(
                    field.pos(),
                    value instanceof Enum<?> symbol
                            ? new GenericData.EnumSymbol(field.schema(), symbol.name())
                            : value);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.writeBytes(new byte[] {(byte) 0xC3, 1});
        bytes.writeBytes(
                ByteBuffer.allocate(8)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .putLong(SingleObject.fingerprint(older))
                        .array());
        BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(bytes, null);
        new GenericDatumWriter<GenericRecord>(older).write(record, encoder);
        encoder.flush();
        return bytes.toByteArray();
    }

    @Example
    void bytesOfOursThatAreBrokenAreAnError() {
        assertThatThrownBy(() -> FORMAT.decode(new byte[3]).orElseThrow())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bad_framing");
    }
}
