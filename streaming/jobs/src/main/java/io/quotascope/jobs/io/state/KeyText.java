package io.quotascope.jobs.io.state;

import io.quotascope.domain.window.ServiceKey;

/**
 * Keys of streams as text. Every part is led by its length, so that no name, whatever it contains,
 * can make two services one: {@code a/b} of cluster {@code c} and {@code b} of cluster {@code c/a}
 * stay apart.
 */
public final class KeyText {

    private KeyText() {}

    /** The key of a service and class. */
    public static String of(ServiceKey key) {
        StringBuilder text = new StringBuilder();
        append(text, key.origin().label());
        append(text, key.cluster());
        append(text, key.service());
        append(text, key.quotaClass());
        return text.toString();
    }

    /** The key of anything that these names make one. */
    public static String of(String... parts) {
        StringBuilder text = new StringBuilder();
        for (String part : parts) {
            append(text, part);
        }
        return text.toString();
    }

    private static void append(StringBuilder text, String part) {
        text.append(part.length()).append(':').append(part);
    }
}
