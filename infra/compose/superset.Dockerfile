# Superset with the ClickHouse driver and the client that applies our dashboards.
ARG SUPERSET_VERSION
FROM apache/superset:${SUPERSET_VERSION}
USER root
RUN pip install --no-cache-dir clickhouse-connect==0.15.1 PyYAML==6.0.3 && mkdir --parents /var/lib/superset && chown superset:superset /var/lib/superset
COPY infra/superset/superset_config.py /app/pythonpath/superset_config.py
COPY dashboards /opt/quotascope/dashboards
COPY --chmod=755 infra/compose/superset-start.sh /opt/quotascope/superset-start.sh
ENV PYTHONPATH=/app/pythonpath:/opt/quotascope/dashboards/client
USER superset
ENTRYPOINT []
CMD ["/opt/quotascope/superset-start.sh"]
