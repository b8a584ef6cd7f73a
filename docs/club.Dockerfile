# A club's hub, made from this folder and nothing else of ours: docs/club-compose.yaml builds and runs it.
FROM python:3.13-slim
WORKDIR /stationmaster
COPY . .
RUN pip install --no-cache-dir --require-hashes --only-binary :all: -r requirements.lock \
 && pip install --no-cache-dir . './hub[postgres,nats,mqtt]' \
 && useradd --create-home club
USER club
ENTRYPOINT ["stationmaster"]
