package io.quotascope.domain.histogram;

/**
 * Packed bytes that break the packing. Intake finds them with {@link BucketCounts#check} before any
 * arithmetic, so elsewhere this is a broken promise of our own and not a bad record.
 */
public final class MalformedPackingException extends IllegalArgumentException {
    private static final long serialVersionUID = 1L;

    private final PackingFault fault;

    public MalformedPackingException(PackingFault fault) {
        super("malformed packing: " + fault);
        this.fault = fault;
    }

    /** What is wrong with the bytes. */
    public PackingFault fault() {
        return fault;
    }
}
