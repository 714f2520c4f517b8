import type { RequestListener } from 'node:http';
import type Router from '@koa/router';
import Koa from 'koa';
import { createAccess } from './route/auth.ts';
import type { OperatorSecrets } from './route/auth.ts';
import type { Identity } from './route/caller.ts';
import { FailedKeys } from './route/failed-keys.ts';
import { mountConsole } from './console/mount.ts';
import { preflights } from './console/cross-origin.ts';
import type { ConsoleServing } from './console/mount.ts';
import { missingPages } from './docs/missing-page.ts';
import type { TemporalUi } from './deps.ts';
import { mountDocs } from './docs/mount.ts';
import { readWholeDocument } from './whole-document.ts';
import { problemAnswers } from './wire/errors.ts';
import { mountHealth } from './wire/health.ts';
import type { Health } from './wire/health.ts';
import type { Admission } from './route/rate-limits.ts';
import type { Logger } from './wire/logger.ts';
import type { Metrics } from './wire/metrics/metrics.ts';
import { mountMedia } from './conversations/media.ts';
import type { MediaServing } from './conversations/media.ts';
import { mount, refuseUnknown } from './mount.ts';
import { createMatch, passedAt } from './passthrough/match.ts';
import { createRouter } from './route/path-router.ts';
import { createPassthrough } from './passthrough/passthrough.ts';
import type { PassthroughOptions } from './passthrough/passthrough.ts';
import { requestLog } from './wire/request-log.ts';
import type { RequestState } from './wire/request-state.ts';
import { pageSlash } from './wire/page-slash.ts';
import { requestTargetGate } from './wire/request-target.ts';
import { PublicRates, publicDoor } from './route/public-rates.ts';
import type { Route } from './route/route.ts';

export interface AppOptions<Deps> {
  routes: readonly Route<Deps>[];
  deps: Deps;
  identity: Identity;
  secrets: OperatorSecrets;
  /** Bounds failed authentications; without it nothing does. */
  failedKeys?: FailedKeys;
  /** Bounds requests without a key; without it nothing does. */
  publicRates?: PublicRates;
  /** The number of proxies before the engine; none if missing. */
  trustedProxies?: number;
  admission: Admission;
  /** The address at which clients reach the engine, without a trailing slash; problems link to pages under it. */
  publicUrl: string;
  logger: Logger;
  metrics: Metrics;
  health: Health;
  media: MediaServing;
  /** Serves the console, with its logins; without it, no console exists. */
  console?: ConsoleServing;
  /** The address of Temporal's web UI, for the links of the guides. */
  temporalUi?: TemporalUi | null;
  /** Mounts the pages by which people connect an account. */
  mountConnectPages?: (router: Router<RequestState>) => void;
  passthrough: PassthroughOptions;
}

export interface App {
  handle: RequestListener;
  close(): Promise<void>;
}

export function createApp<Deps>(options: AppOptions<Deps>): App {
  const { routes, logger, metrics, admission } = options;
  const { console: serving, failedKeys = new FailedKeys(0), trustedProxies = 0 } = options;
  const { publicRates = new PublicRates(0) } = options;
  const access = createAccess(options.identity, options.secrets, failedKeys, serving?.logins);
  const match = createMatch(routes);
  const passthrough = createPassthrough(options.passthrough, {
    access,
    admission,
    match,
    natives: routes,
    publicRates,
  });

  const router = createRouter();
  mount(router, routes, options.deps, { access, admission, publicRates });
  mountHealth(router, options.health);
  mountDocs(router, options.temporalUi ?? null, readWholeDocument);
  mountMedia(router, options.media);
  options.mountConnectPages?.(router);
  if (serving) mountConsole(router, serving, { access, admission, failedKeys });

  // The nearest proxy's word comes last, so what a client writes itself is cut off.
  const app = new Koa<RequestState>({ proxy: trustedProxies > 0, maxIpsCount: trustedProxies });
  app.on('error', (error: unknown) => logger.error({ err: error }, 'the response could not be written'));
  app.use(requestLog(logger, metrics));
  app.use(problemAnswers(options.publicUrl));
  app.use(missingPages());
  app.use(pageSlash(options.publicUrl));
  app.use(requestTargetGate());
  app.use(publicDoor(publicRates, trustedProxies));
  app.use(passthrough.middleware);
  if (serving) app.use(preflights((origin) => serving.logins.isEmbedder(origin), publicRates));
  app.use(router.routes());
  app.use(passthrough.unknown);
  const { adviceFor } = passthrough;
  app.use(refuseUnknown(router, routes, { passedAt: passedAt(match), adviceFor, publicRates }));
  const handle = app.callback();
  return {
    handle: (request, response) => void handle(request, response),
    close: () => passthrough.close(),
  };
}
