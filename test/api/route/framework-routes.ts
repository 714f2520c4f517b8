import { z } from 'zod';
import { NoContent, answer, binary } from '../../../api/wire/answer.ts';
import { createRouting } from '../../../api/route/route.ts';
import { onBehalfOf, StatementPlaces } from '../../../db/engine/statement-places.ts';
import { EngineError, notFound } from '../../../domain/error.ts';

export interface DemoDeps {
  seen: unknown[];
}

const { defineRoute } = createRouting<DemoDeps>();

const ThingParams = z.object({ id: z.string().regex(/^thg_\w+$/) });
const Thing = z.object({ id: z.string(), tenantId: z.string() }).meta({ id: 'Thing' });
const OWNERS: Record<string, string> = { thg_1: 'acme/t1', thg_2: 'globex/t1' };

/** Tells a test that the slow route runs, and lets the test end it. */
export const slowRequest = { began: Promise.withResolvers<void>(), ends: Promise.withResolvers<void>() };

/** Tells how many statements of a request wait while statements of the agency `acme` have all its places. */
async function waitingBehindAcme(): Promise<{ waiting: number }> {
  const places = new StatementPlaces(4);
  const statement = () => places.run(() => new Promise<void>((resolve) => setImmediate(resolve)));
  const all = [onBehalfOf('acme', statement), onBehalfOf('acme', statement), statement()];
  const { waiting } = places;
  await Promise.all(all);
  return { waiting };
}

/** Tells in which order a request and an earlier statement of its agency go, while two others of the agency run. */
async function orderBehindAcme(): Promise<{ order: string[] }> {
  const places = new StatementPlaces(4);
  const order: string[] = [];
  const statement = (name: string) => () =>
    places.run(async () => {
      order.push(name);
      await new Promise<void>((resolve) => setImmediate(resolve));
    });
  const earlier = ['running', 'running', 'earlier'].map((name) => onBehalfOf('acme', statement(name)));
  await Promise.all([...earlier, statement('request')()]);
  return { order };
}

const countsPlaces = (of: string) => ({
  method: 'GET' as const,
  path: `/api/v1/places/${of}`,
  operationId: `places.${of}` as const,
  summary: 'Counts the statements that wait.',
  reply: z.object({ waiting: z.int() }),
  handle: waitingBehindAcme,
});

export const routes = [
  defineRoute({ ...countsPlaces('tenant'), auth: 'tenant', scope: 'read' }),
  defineRoute({ ...countsPlaces('agency'), auth: 'agency', scope: 'keys' }),
  defineRoute({ ...countsPlaces('client'), auth: 'client', scope: 'read' }),
  defineRoute({ ...countsPlaces('master'), auth: 'master' }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/places/first',
    auth: 'tenant',
    scope: 'read',
    goesFirst: true,
    operationId: 'places.first',
    summary: 'Goes before the others of its agency.',
    reply: z.object({ order: z.array(z.string()) }),
    handle: orderBehindAcme,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/things',
    auth: 'tenant',
    scope: 'send',
    operationId: 'things.createThings',
    location: 'The thing.',
    summary: 'Makes a thing.',
    body: z
      .object({
        agencyId: z.string().optional(),
        to: z.string().min(1),
        parts: z.array(z.object({ size: z.int() })).optional(),
      })
      .meta({ id: 'MakeThing' }),
    status: 202,
    reply: z.object({ to: z.string(), scope: z.unknown(), keyId: z.string() }),
    handle: ({ body, scope, caller }, { seen }) => {
      seen.push(body);
      return answer(202, { to: body.to, scope, keyId: caller.keyId }, { location: '/api/v1/things/thg_1' });
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/things',
    auth: 'tenant',
    scope: 'read',
    operationId: 'things.readThings',
    summary: 'Lists things.',
    query: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
    reply: z.object({ limit: z.int(), scope: z.unknown() }),
    handle: ({ query, scope }) => ({ limit: query.limit, scope }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/things/:id',
    auth: 'tenant',
    scope: 'read',
    operationId: 'things.readThingsId',
    summary: 'Shows a thing.',
    params: ThingParams,
    reply: Thing,
    errors: ['session_not_ready'],
    handle: ({ params, scope }) => {
      if (OWNERS[params.id] !== `${scope.agencyId}/${scope.tenantId}`) throw notFound('thing');
      const row = { id: params.id, tenantId: scope.tenantId, secret: 'not for clients' };
      return row;
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/things/newest',
    auth: 'tenant',
    scope: 'read',
    operationId: 'things.readThingsNewest',
    summary: 'Shows the newest thing.',
    reply: z.object({ newest: z.literal(true) }),
    handle: () => ({ newest: true as const }),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/api/v1/things/:id',
    auth: 'tenant',
    scope: 'send',
    operationId: 'things.deleteThingsId',
    summary: 'Deletes a thing.',
    params: ThingParams,
    status: 204,
    reply: NoContent,
    handle: () => undefined,
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/things/restart',
    auth: 'tenant',
    scope: 'send',
    operationId: 'things.createThingsRestart',
    summary: 'Takes nothing but the tenant.',
    reply: z.object({ tenantId: z.string() }),
    handle: ({ scope }) => ({ tenantId: scope.tenantId }),
  }),
  defineRoute({
    method: 'PUT',
    path: '/api/v1/tenants/:tenantId/settings',
    auth: 'tenant',
    scope: 'send',
    operationId: 'things.updateTenantsTenantIdSettings',
    takesUnknownTenant: true,
    summary: 'Sets up a tenant.',
    params: z.object({ tenantId: z.string() }),
    reply: z.object({ tenantId: z.string() }),
    handle: ({ scope }) => ({ tenantId: scope.tenantId }),
  }),
  defineRoute({
    method: 'POST',
    path: '/api/v1/api-keys',
    auth: 'agency',
    scope: 'keys',
    operationId: 'things.createApiKeys',
    summary: 'Acts for an agency.',
    reply: z.object({ agencyId: z.string() }),
    handle: ({ caller }) => ({ agencyId: caller.agencyId }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/things',
    auth: 'master',
    operationId: 'things.readAdminThings',
    summary: 'Counts all things.',
    reply: z.object({ keyId: z.string() }),
    handle: ({ caller }) => ({ keyId: caller.keyId }),
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/internal/things',
    auth: 'psk',
    operationId: 'things.readInternalThings',
    summary: 'Shows things to our own services.',
    reply: z.object({ keyId: z.string() }),
    handle: ({ caller }) => ({ keyId: caller.keyId }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/callback',
    auth: 'backend',
    operationId: 'things.createCallback',
    summary: 'Takes what the backend reports.',
    maxBodyBytes: 2_000_000,
    reply: z.object({ bytes: z.int() }),
    handle: ({ body }) => ({ bytes: body.length }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/qr',
    auth: 'public',
    operationId: 'things.readQr',
    summary: 'Shows a picture.',
    contentTypes: { 'image/png': 'The code as a picture.' },
    reply: z.object({ value: z.string() }),
    handle: () => binary('image/png', Buffer.from([137, 80, 78, 71])),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/doorbell',
    auth: 'public',
    carriesSecret: true,
    operationId: 'things.ring',
    summary: 'Opens to those with its secret.',
    reply: z.object({ isOpen: z.boolean() }),
    errors: ['unauthorized'],
    handle({ request }) {
      if (request.header('authorization') === 'Bearer right') return { isOpen: true };
      throw new EngineError('unauthorized', 'Send the secret.');
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/unfit',
    auth: 'public',
    operationId: 'things.readUnfit',
    summary: 'Answers something else than it declares.',
    reply: z.object({ age: z.int() }),
    handle: () => ({ age: 1.5 }),
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/broken',
    auth: 'public',
    operationId: 'things.readBroken',
    summary: 'Fails.',
    reply: NoContent,
    handle: () => {
      throw new Error('connection to postgres://user:pw@db failed');
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/api/v1/slow',
    auth: 'public',
    operationId: 'things.readSlow',
    summary: 'Takes its time.',
    reply: z.object({ done: z.literal(true) }),
    handle: async () => {
      slowRequest.began.resolve();
      await slowRequest.ends.promise;
      return { done: true as const };
    },
  }),
];
