# The action's image. It runs as root in /github/workspace, as GitHub asks of a Docker action: no USER, no WORKDIR.
# A release pins BASE by digest.
ARG BASE=python:3.13-slim

FROM ${BASE} AS build
COPY requirements.lock /
# Hashes of everything, wheels only: nothing is compiled, so no compiler is needed in either stage.
RUN python -m venv --without-pip /opt/raggate \
 && python -m pip --python /opt/raggate/bin/python install --no-cache-dir --no-compile --no-deps --only-binary :all: \
    --require-hashes --requirement requirements.lock
COPY raggate_action /raggate_action
COPY templates /raggate_action/templates
COPY LICENSE NOTICE /opt/raggate/
RUN cp -r /raggate_action "$(/opt/raggate/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')" \
 && python -m compileall -q --invalidation-mode unchecked-hash /opt/raggate

FROM ${BASE}
LABEL org.opencontainers.image.title="raggate" \
      org.opencontainers.image.description="Release gate for RAG applications" \
      org.opencontainers.image.licenses="Apache-2.0"
COPY --from=build /opt/raggate /opt/raggate
# The official image has no bytecode of the standard library: what a run imports is compiled here, once.
RUN ["/opt/raggate/bin/python", "-I", "-c", "import asyncio, ctypes, github, httpx, raggate_action.cli.action_command"]
# By its full path, because a job's `env:` may change PATH; isolated (-I), because the working directory and PYTHON* are
# the pull request's.
ENTRYPOINT ["/opt/raggate/bin/python", "-I", "-m", "raggate_action"]
CMD ["action"]
