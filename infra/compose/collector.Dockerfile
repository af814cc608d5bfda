# The collector: one static binary, no shell, no root.
ARG GO_VERSION
ARG DEBIAN_VERSION
FROM golang:${GO_VERSION} AS build
WORKDIR /build
COPY schemas schemas
COPY collectors collectors
WORKDIR /build/collectors
RUN CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o /quotascope-telegraf ./cmd/telegraf && mkdir /spool

FROM debian:${DEBIAN_VERSION}
COPY --from=build /quotascope-telegraf /usr/local/bin/quotascope-telegraf
COPY --from=build --chown=65532:65532 /spool /var/lib/quotascope/spool
USER 65532:65532
# Direct, without a shell between: file capabilities would not survive one.
ENTRYPOINT ["/usr/local/bin/quotascope-telegraf"]
