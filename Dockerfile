# One image, two processes: the API (the default) and, with another command, the worker.
# Debian and not Alpine: Temporal's native bridge needs glibc.
FROM node:24.21.0-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./

# The bundler and its compiler live in this stage alone. `npm install`, since `npm ci` refuses a lock whose optional
# packages of other platforms are missing; it installs what the lock says and leaves the lock as it is.
FROM manifests AS bundle
RUN npm install --omit=dev --ignore-scripts
COPY domain domain
COPY workflows workflows
COPY embedded/startup-error.ts embedded/
COPY console console
COPY sdk/typescript/src sdk/typescript/src
COPY bin/bundle.ts bin/console-bundle.ts bin/
RUN node bin/bundle.ts && node bin/console-bundle.ts

# Without optional packages: they are the embedded PostgreSQL, npm's own Node and the compiler. Of Temporal's bridge
# only this machine's build is kept.
FROM manifests AS packages
RUN npm install --omit=dev --omit=optional --ignore-scripts \
  && cd node_modules/@temporalio/core-bridge/releases \
  && find . -mindepth 1 -maxdepth 1 ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM node:24.21.0-bookworm-slim
# The flag is that of npm start (docs/decisions.md, "Node keeps few young objects").
ENV NODE_ENV=production HOST=0.0.0.0 NODE_OPTIONS=--max-semi-space-size=8
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=bundle /app/dist dist
COPY . .
USER node
EXPOSE 3000
# 503 only without the database: without Temporal or the backend the API still accepts sends.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT ?? 3000}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/start.mjs", "api"]
