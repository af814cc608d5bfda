package io.quotascope.jobs.io.clickhouse;

import io.quotascope.jobs.io.options.InvalidOptionException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * One synchronous INSERT over ClickHouse's HTTP interface. {@code async_insert=0}: the answer comes
 * after the rows are in the table, so that a checkpoint never counts rows that only lie in a
 * server's buffer.
 */
final class ClickHouseInsert {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final String CODE_HEADER = "X-ClickHouse-Exception-Code";
    private static final int DETAIL_CHARS_MAX = 1_000;

    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(CONNECT_WITHIN)
                    .build();
    private final ClickHouseTarget target;
    private final URI uri;
    private final String password;

    ClickHouseInsert(ClickHouseTarget target, TableLayout layout) {
        this.target = target;
        this.uri =
                target.url()
                        .resolve(
                                "?async_insert=0&wait_end_of_query=1&query="
                                        + URLEncoder.encode(
                                                layout.insertInto(target.database()),
                                                StandardCharsets.UTF_8));
        this.password = password(target.passwordFile());
    }

    private static String password(String file) {
        try {
            return Files.readString(Path.of(file)).stripTrailing();
        } catch (IOException e) {
            throw new InvalidOptionException(
                    "option "
                            + ClickHouseOptions.PASSWORD_FILE.key()
                            + ": cannot read "
                            + file
                            + ": "
                            + e);
        }
    }

    /**
     * @throws RefusedInsertException if repeating cannot help
     * @throws IOException if the server is away, busy or short of something; to be repeated
     */
    void send(byte[] rows, int length) throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(uri)
                        .timeout(target.retry().timeout())
                        .header("X-ClickHouse-User", target.user())
                        .header("X-ClickHouse-Key", password)
                        .header("Content-Type", "application/octet-stream")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(rows, 0, length))
                        .build();
        HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
        int code = answer.headers().firstValue(CODE_HEADER).map(Integer::parseInt).orElse(0);
        if (answer.statusCode() == 200 && code == 0) {
            return;
        }
        String body = answer.body().strip();
        String detail =
                "HTTP "
                        + answer.statusCode()
                        + ", "
                        + body.substring(0, Math.min(body.length(), DETAIL_CHARS_MAX));
        if (ClickHouseErrors.isFinal(answer.statusCode(), code)) {
            throw new RefusedInsertException(detail);
        }
        throw new IOException(detail);
    }
}
