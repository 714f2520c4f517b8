import Koa from 'koa';
import type { Middleware } from 'koa';
import { faultRoutes } from './control/faults.ts';
import { llmControlRoutes } from './control/llm.ts';
import { recordRoutes } from './control/record.ts';
import { routeListRoutes, segmentsOf } from './control/route-list.ts';
import { sessionControlRoutes } from './control/sessions.ts';
import { requireApiKey } from './http/api-key.ts';
import { requirePolicy } from './http/key-policy.ts';
import { applyFaults, refuseConnections } from './http/apply-faults.ts';
import { parseBody } from './http/body.ts';
import type { State } from './http/context.ts';
import { answerErrors } from './http/errors.ts';
import { notFound } from './http/failures.ts';
import { recordCalls } from './http/record-calls.ts';
import { llmRoutes } from './llm/routes.ts';
import { pageRoutes } from './page/page.ts';
import { viewRoutes } from './page/view.ts';
import type { NetworkClock } from './network/clock.ts';
import type { Parts } from './parts.ts';
import { authRoutes } from './routes/auth.ts';
import { answeredOnlyRoutes } from './routes/answered-only.ts';
import { chatRoutes } from './routes/chats.ts';
import { contactRoutes } from './routes/contacts.ts';
import { chatActionRoutes } from './routes/chat-actions.ts';
import { fileRoutes } from './routes/files.ts';
import { groupRoutes } from './routes/groups.ts';
import { keyRoutes } from './routes/keys.ts';
import { labelRoutes } from './routes/labels.ts';
import { lidRoutes } from './routes/lids.ts';
import { messageActionRoutes } from './routes/message-actions.ts';
import { messageRoutes } from './routes/messages.ts';
import { presenceRoutes } from './routes/presence.ts';
import { profileRoutes } from './routes/profile.ts';
import { sendInteractiveRoutes } from './routes/send-interactive.ts';
import { sendMediaRoutes } from './routes/send-media.ts';
import { sendOtherRoutes } from './routes/send-other.ts';
import { sendTextRoutes } from './routes/send-text.ts';
import { serverRoutes } from './routes/server.ts';
import { sessionRoutes } from './routes/sessions.ts';

/** The routes of the page, the model and the control API. */
const OWN_ROUTES = [pageRoutes, viewRoutes, llmRoutes, llmControlRoutes, recordRoutes, sessionControlRoutes];

/**
 * The backend's routers in the order in which they are asked. Routes that start with a resource come before those that
 * start with a session's name, which would also match them.
 */
const BACKEND_ROUTES = [
  serverRoutes,
  fileRoutes,
  keyRoutes,
  sessionRoutes,
  contactRoutes,
  sendTextRoutes,
  sendMediaRoutes,
  sendInteractiveRoutes,
  sendOtherRoutes,
  messageActionRoutes,
  presenceRoutes,
  authRoutes,
  profileRoutes,
  chatRoutes,
  messageRoutes,
  chatActionRoutes,
  answeredOnlyRoutes,
  groupRoutes,
  lidRoutes,
  labelRoutes,
];

export function createApp(parts: Parts): Koa<State> {
  const { core, faults, calls } = parts;
  const app = new Koa<State>();
  // Koa would print errors that no middleware catches. Here every error becomes an answer, and connections are broken
  // on purpose.
  app.silent = true;
  app.use(markAsSimulation);
  app.use(tellTime(core.clock));
  app.use(answerErrors(core));
  app.use(refuseConnections(faults));
  app.use(requireApiKey(core.settings.apiKey, core.world.keys));
  app.use(parseBody);
  app.use(recordCalls(core.world, calls));
  app.use(requirePolicy);
  app.use(applyFaults(faults, core.timers));
  const backend = BACKEND_ROUTES.map((routes) => routes(parts));
  const own = [...OWN_ROUTES.map((routes) => routes(parts)), faultRoutes(parts, segmentsOf(backend))];
  const routers = [...own, ...backend];
  for (const router of [...routers, routeListRoutes(routers)]) app.use(router.routes());
  app.use((ctx) => {
    throw notFound(`Cannot ${ctx.method} ${ctx.url}`);
  });
  return app;
}

/** Sets the `Date` header of every answer by the simulated backend's clock. */
function tellTime(clock: NetworkClock): Middleware {
  return async (ctx, next) => {
    await next();
    ctx.set('Date', new Date(clock.now()).toUTCString());
  };
}

const markAsSimulation: Middleware = async (ctx, next) => {
  ctx.set('X-Sandbox', 'simulation');
  await next();
};
