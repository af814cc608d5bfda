# The Flink cluster with our settings and our jobs.
ARG MAVEN_IMAGE_TAG
ARG FLINK_IMAGE_TAG
FROM maven:${MAVEN_IMAGE_TAG} AS build
WORKDIR /build
COPY schemas schemas
COPY streaming streaming
RUN mvn --batch-mode --quiet --file streaming/pom.xml -DskipTests package

FROM flink:${FLINK_IMAGE_TAG}
COPY infra/flink/config.yaml /opt/flink/conf/config.yaml
COPY --from=build /build/streaming/jobs/target/quotascope-jobs.jar /opt/quotascope/quotascope-jobs.jar
COPY infra/compose/submit-jobs.sh /opt/quotascope/submit-jobs.sh
# The image's user owns what its entry point rewrites; the checkpoints' volume takes its owner from this folder.
RUN chown flink:flink /opt/flink/conf/config.yaml && mkdir /checkpoints && chown flink:flink /checkpoints
