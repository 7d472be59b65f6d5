# syntax=docker/dockerfile:1
# One image for gateways, workers and operator commands.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/link-command.mjs ./tools/
RUN npm ci --no-audit --no-fund
COPY . .
# The bundle contains all packages that the manifest of the package does not name. The optional packages of the embedded
# PostgreSQL are removed too; the library that reads pictures (@img, for this platform) is kept.
RUN npm run build && node tools/package-manifest.mjs write && cp -r node_modules/@img /tmp/img \
  && npm prune --omit=dev --omit=optional --no-audit --no-fund && cp -r /tmp/img/. node_modules/@img/

FROM node:24-bookworm-slim
# An attacker inside the container finds no tool to build or install software.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/dist ./dist
COPY --from=build /app/bin ./bin
RUN ln -s /app/bin/posts-gateway.mjs /usr/local/bin/posts-gateway
# The folder of uploaded media, for a volume that all gateways and workers share.
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data
USER node
EXPOSE 4000
# A worker listens on METRICS_PORT only. A gateway reports the same status there as on PORT.
# bash, because the image has no other program that opens a connection in milliseconds: Node.js starts in 40 ms, with 40 MB.
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/${METRICS_PORT:-$PORT} && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ $status = 200 ]"]
# node runs as PID 1, so that it receives SIGTERM and shuts down gracefully.
CMD ["node", "--max-semi-space-size=64", "--no-parallel-scavenge", "--no-allocation-site-pretenuring", "dist/main.js"]
