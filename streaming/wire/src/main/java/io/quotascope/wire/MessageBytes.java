package io.quotascope.wire;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import org.apache.avro.io.Decoder;
import org.apache.avro.util.Utf8;

/**
 * Avro's binary form over one message in memory. Unlike Avro's own decoder it believes no length
 * that the message cannot hold: a poisoned length of 2 GB is refused before anything is allocated,
 * and text must be UTF-8.
 */
final class MessageBytes extends Decoder {
    private final byte[] bytes;
    private int position;

    MessageBytes(byte[] bytes, int from) {
        this.bytes = bytes;
        this.position = from;
    }

    /** Bytes that no read has taken. */
    int remaining() {
        return bytes.length - position;
    }

    @Override
    public int remainingBytes() {
        return remaining();
    }

    @Override
    public void readNull() {
        // null takes no byte
    }

    @Override
    public boolean readBoolean() throws IOException {
        return bytes[take(1)] == 1;
    }

    @Override
    public int readInt() throws IOException {
        long value = readLong();
        if (value != (int) value) {
            throw new IOException(value + " is no int");
        }
        return (int) value;
    }

    @Override
    public long readLong() throws IOException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte read = bytes[take(1)];
            value |= (read & 0x7FL) << shift;
            if (read >= 0) {
                return value >>> 1 ^ -(value & 1);
            }
        }
        throw new IOException("a varint of more than 10 bytes");
    }

    @Override
    public float readFloat() throws IOException {
        int at = take(Float.BYTES);
        int bits = 0;
        for (int octet = Float.BYTES - 1; octet >= 0; octet--) {
            bits = bits << 8 | bytes[at + octet] & 0xFF;
        }
        return Float.intBitsToFloat(bits);
    }

    @Override
    public double readDouble() throws IOException {
        int at = take(Double.BYTES);
        long bits = 0;
        for (int octet = Double.BYTES - 1; octet >= 0; octet--) {
            bits = bits << 8 | bytes[at + octet] & 0xFF;
        }
        return Double.longBitsToDouble(bits);
    }

    @Override
    public Utf8 readString(Utf8 old) throws IOException {
        return new Utf8(readString());
    }

    @Override
    public String readString() throws IOException {
        int length = length();
        int at = take(length);
        String text = new String(bytes, at, length, StandardCharsets.UTF_8);
        if (text.indexOf('\uFFFD')
                >= 0) { // a replacement, or that very character: only the strict decoder can tell
            requireUtf8(at, length);
        }
        return text;
    }

    private void requireUtf8(int at, int length) throws IOException {
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length));
        } catch (CharacterCodingException malformed) {
            throw new IOException("text that is not UTF-8", malformed);
        }
    }

    @Override
    public void skipString() throws IOException {
        take(length());
    }

    @Override
    public ByteBuffer readBytes(ByteBuffer old) throws IOException {
        byte[] copy = new byte[length()];
        readFixed(copy, 0, copy.length);
        return ByteBuffer.wrap(copy);
    }

    @Override
    public void skipBytes() throws IOException {
        take(length());
    }

    @Override
    public void readFixed(byte[] target, int start, int length) throws IOException {
        System.arraycopy(bytes, take(length), target, start, length);
    }

    @Override
    public void skipFixed(int length) throws IOException {
        take(length);
    }

    @Override
    public int readEnum() throws IOException {
        return readInt();
    }

    @Override
    public int readIndex() throws IOException {
        return readInt();
    }

    @Override
    public long readArrayStart() throws IOException {
        return block();
    }

    @Override
    public long arrayNext() throws IOException {
        return block();
    }

    @Override
    public long skipArray() throws IOException {
        return skipSizedBlocks();
    }

    @Override
    public long readMapStart() throws IOException {
        return block();
    }

    @Override
    public long mapNext() throws IOException {
        return block();
    }

    @Override
    public long skipMap() throws IOException {
        return skipSizedBlocks();
    }

    /**
     * Items of the next block. Every item of our schemas takes a byte at least, so there cannot be
     * more than bytes.
     */
    private long block() throws IOException {
        long count = readLong();
        if (count < 0) {
            readLong(); // the size in bytes, which only a reader that skips needs
            count = -count;
        }
        if (count < 0 || count > remaining()) {
            throw new EOFException(count + " items announced, " + remaining() + " bytes left");
        }
        return count;
    }

    private long skipSizedBlocks() throws IOException {
        long count = readLong();
        while (count < 0) {
            take(length());
            count = readLong();
        }
        if (count > remaining()) {
            throw new EOFException(count + " items announced, " + remaining() + " bytes left");
        }
        return count;
    }

    private int length() throws IOException {
        long length = readLong();
        if (length < 0 || length > remaining()) {
            throw new EOFException(
                    "a length of " + length + " announced, " + remaining() + " bytes left");
        }
        return (int) length;
    }

    private int take(int length) throws IOException {
        if (length > remaining()) {
            throw new EOFException("the message ends inside a field");
        }
        int at = position;
        position += length;
        return at;
    }
}
