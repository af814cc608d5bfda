package io.quotascope.jobs.io.kafka;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The release that runs, as Maven states it in the jar. */
public final class JobVersion {
    private static final String RESOURCE = "/io/quotascope/jobs/version.properties";

    private JobVersion() {}

    /** For example {@code 0.1.0}. */
    public static String current() {
        try (InputStream in = JobVersion.class.getResourceAsStream(RESOURCE)) {
            Properties properties = new Properties();
            properties.load(in);
            return properties.getProperty("version");
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE + " of our own jar", e);
        }
    }
}
