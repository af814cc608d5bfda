package io.quotascope.jobs.io.parts;

import io.quotascope.domain.window.ServiceSums;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Sums of merged minutes that were asked for lately, so that each row of a horizon does not decode
 * all its minutes again. It lives beside the state and is no part of it: a minute that is not here,
 * after a restart or on another state backend, is decoded from its bytes, which say the same.
 *
 * <p>Bound: {@link #LOOKING_BACK} minutes of about 12 KiB on the heap, 50 MiB an operator, which is
 * the ten minutes of 400 services; the oldest leave first.
 */
final class DecodedMinutes {
    /** For a job that looks back at earlier minutes. */
    static final int LOOKING_BACK = 4_096;

    /** For a job that judges the minute at hand. */
    static final int AT_HAND = 1;

    private final Map<Bytes, ServiceSums> kept;

    /** The very array and not its content: comparing content would cost what decoding does. */
    private record Bytes(byte[] framed) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Bytes that && framed == that.framed;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(framed);
        }
    }

    /**
     * @param most minutes that are kept
     */
    DecodedMinutes(int most) {
        kept =
                new LinkedHashMap<>() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<Bytes, ServiceSums> eldest) {
                        return size() > most;
                    }
                };
    }

    /** Sums that the parts are known to have, because they were made of them. */
    void put(MergedParts parts, ServiceSums sums) {
        kept.put(new Bytes(parts.framed()), sums);
    }

    /** The sums of all parts. */
    ServiceSums of(MergedParts parts) {
        // A framing is the whole of its sums, so equal arrays cannot stand for different ones.
        return kept.computeIfAbsent(new Bytes(parts.framed()), absent -> parts.sums());
    }
}
