# Topics and tables: the same Python tools as the native stack, from the same lock.
ARG PYTHON_VERSION
FROM python:${PYTHON_VERSION}
WORKDIR /opt/quotascope
COPY infra/native/requirements.txt requirements.txt
RUN pip install --no-cache-dir --require-hashes --no-deps --requirement requirements.txt
COPY infra/native infra/native
COPY schemas schemas
COPY sql sql
ENV PYTHONPATH=/opt/quotascope/infra/native:/opt/quotascope/sql/tool PYTHONDONTWRITEBYTECODE=1
USER 65532:65532
