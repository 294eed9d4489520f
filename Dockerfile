# The server: the HTTP API, the page and the tools for agents, over one corpus in the volume /data.
# `make image` builds it; compose.yaml runs it without rights on a file system that it cannot write to.
FROM python:3.13-slim AS build
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY src src
RUN python -m venv /opt/spanwise \
 && /opt/spanwise/bin/pip install --no-cache-dir --disable-pip-version-check --constraint constraints.txt '.[server,mcp,llm,postgres,dask,parquet,objects]' \
 && /opt/spanwise/bin/pip uninstall --yes --quiet pip

FROM python:3.13-slim
# Nobody: no name, no shell, no home. /data is where the corpus lies; /tmp is all else that is ever written to.
COPY --from=build /opt/spanwise /opt/spanwise
RUN install --directory --owner=10001 --group=10001 --mode=0700 /data
USER 10001:10001
WORKDIR /data
VOLUME /data
ENV PATH=/opt/spanwise/bin:$PATH \
    HOME=/tmp \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s --retries=3 \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/v1/health', timeout=4)"]
# It ends without a token: SPANWISE_TOKEN has to be in the environment.
ENTRYPOINT ["spanwise"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000", "--corpus", "/data/spanwise.db"]
