# syntax=docker/dockerfile:1
# One image for gateways, workers and the operator's commands.

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY tools/link-command.mjs ./tools/
RUN npm ci --no-audit --no-fund
COPY . .
# Without what is optional, too: TypeScript, which Prisma's client may look at, and the embedded PostgreSQL.
RUN npm run build && npm prune --omit=dev --omit=optional --no-audit --no-fund

FROM node:24-bookworm-slim
# Nothing that builds or installs is left for whoever gets in.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn*
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/prisma/migrations ./prisma/migrations
COPY --from=build /app/dist ./dist
USER node
EXPOSE 4000
# A worker has a port with METRICS_PORT only; there a gateway says the same as on its own.
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT || process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# node itself is process 1, so that SIGTERM arrives and drains.
CMD ["node", "--max-semi-space-size=64", "dist/main.js"]
