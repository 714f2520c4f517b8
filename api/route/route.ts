import type { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import type { IncomingHttpHeaders } from 'node:http';
import { onBehalfOf } from '../../db/engine/statement-places.ts';
import type { ErrorCode } from '../../domain/error.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import { Streamed, toReply } from '../wire/answer.ts';
import type { Handled, Reply } from '../wire/answer.ts';
import type { Auth, Granted, Identified, KeyAuth } from './caller.ts';
import { requireBoundedShape } from './bounded-shape.ts';
import { bodyReading } from './body-reading.ts';
import type { Call, RequestFacts } from './call.ts';
import type { Committing } from './commit.ts';
import type { Idempotency } from './idempotency.ts';
import { beginCommitting, noIdempotency, replayWithoutTenant } from './keyed-request.ts';
import { describeOperation, isForDashboards } from './operation.ts';
import type { BodySchema, Method, ObjectSchema, RouteText } from './route-text.ts';
import { parseInput } from './parse-input.ts';
import { errorCodes } from './responses.ts';
import type { Parsed } from './parse-input.ts';
import { namedTarget } from './target.ts';
import { invalid } from '../../domain/error.ts';

/** A route as the application uses it, without the generics of its definition. */
export interface Route<Deps> {
  method: Method;
  path: string;
  auth: Auth;
  /** The scope that a key needs for the route; null where none is needed, or where no agency's key opens. */
  scope: KeyScope | null;
  /** No session's key opens it. */
  dashboardOnly: boolean;
  /** A public route whose requests carry a secret of their own. */
  carriesSecret: boolean;
  /** The fields of its reply that are secrets. */
  secrets: readonly string[];
  operation: ZodOpenApiOperationObject;
  /** Every error code that the route may answer: the framework's own and those of its handler. */
  errorCodes: readonly ErrorCode[];
  run(call: Call, deps: Deps): Promise<Reply>;
}

/** The input of a handler. The handler cannot tell whether its scope came from the key or from the request. */
type RouteInput<
  A extends Auth,
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends BodySchema,
  R extends z.ZodType,
  I,
> = Granted[A] & Parsed<A, P, Q, B> & Committing<I, z.input<R>> & { request: RequestFacts };

export interface RouteSpec<
  Deps,
  A extends Auth,
  P extends ObjectSchema,
  Q extends ObjectSchema,
  B extends BodySchema,
  R extends z.ZodType,
  I extends boolean,
> extends RouteText {
  method: Method;
  path: string;
  auth: A;
  params?: P;
  query?: Q;
  body?: B;
  /** The status of a plain answer; 200 when left out. */
  status?: number;
  reply: R;
  /** The route may name a tenant that does not exist yet: it makes the tenant, or answers what holds for a new one. */
  takesUnknownTenant?: boolean;
  /** 1 MiB when left out. */
  maxBodyBytes?: number;
  idempotent?: I;
  /** Its statements go before the others of its agency: it stops what would otherwise go on while it waits. */
  goesFirst?: boolean;
  handle(input: RouteInput<A, P, Q, B, R, I>, deps: Deps): Handled<z.input<R>> | Promise<Handled<z.input<R>>>;
}

/**
 * The scope that a key needs for the route: each route that opens to the keys of agencies names it, and no other does. Null opens
 * to every key, for what it has made itself.
 */
type ScopeOf<A extends Auth> = A extends KeyAuth ? { scope: KeyScope | null } : { scope?: never };

const MAX_BODY_BYTES = 1024 * 1024;

/** Binds the routes to what their handlers need: `export const { defineRoute } = createRouting<ApiDeps>()`. */
export function createRouting<Deps>(idempotencyOf: (deps: Deps) => Idempotency = noIdempotency) {
  function defineRoute<
    A extends Auth,
    R extends z.ZodType,
    P extends ObjectSchema = undefined,
    Q extends ObjectSchema = undefined,
    B extends BodySchema = undefined,
    I extends boolean = false,
  >(spec: RouteSpec<Deps, A, P, Q, B, R, I> & ScopeOf<A>): Route<Deps> {
    const { method, path, auth, dashboardOnly = false } = spec;
    const scope: KeyScope | null = spec.scope ?? null;
    const door = { auth, scope, dashboardOnly };
    const status = spec.status ?? 200;
    const reading = bodyReading(method, auth, spec.body);
    const described = { ...spec, status };
    return {
      method,
      path,
      auth,
      scope,
      dashboardOnly: isForDashboards(spec),
      carriesSecret: spec.carriesSecret ?? false,
      secrets: spec.secrets ?? [],
      operation: describeOperation(described),
      errorCodes: errorCodes(described),
      async run(call, deps) {
        // The caller is identified before the body is read, and its rights are settled before the body is judged.
        const who = await call.access.identify(door, call);
        call.identified(who);
        await call.admit(who, spec.cost ?? 1);
        const raw = {
          params: call.params,
          query: call.query,
          body: await call.readBody(reading, spec.maxBodyBytes ?? MAX_BODY_BYTES),
        };
        const target = namedTarget(raw, { template: path, takesBody: reading === 'json' && method !== 'DELETE' });
        const actor = actorOf(call.headers);
        const granting = await call.access.grant(auth, who, target, spec.takesUnknownTenant ?? false, actor).then(
          (granted) => ({ granted }),
          async (error: unknown) => {
            const means = { idempotencyOf: () => idempotencyOf(deps), error };
            return { replayed: await replayWithoutTenant(spec, { call, who, target, raw }, means) };
          },
        );
        if ('replayed' in granting) return granting.replayed;
        const { granted } = granting;
        requireBoundedShape(raw.body);
        const fit = (handled: unknown): Reply => requireDescribed(toReply(handled, status, spec.reply), spec);
        const { committing, refused } = beginCommitting<I, z.input<R>>(spec, { call, granted, raw, fit }, () =>
          idempotencyOf(deps),
        );
        const watch = () => call.access.watch(door, call, (why) => call.giveUp(why));
        const stopWatching = method === 'GET' ? watch() : () => undefined;
        try {
          const input = parseInput(auth, spec, raw);
          const handle = () =>
            spec.handle(Object.assign({}, granted, input, committing, { request: call.request }), deps);
          const agencyId = agencyOf(who, granted);
          const { goesFirst = false } = spec;
          const handled = await (agencyId === undefined ? handle() : onBehalfOf(agencyId, handle, { goesFirst }));
          // A read may have been held for long, and a key that was revoked meanwhile is told nothing more.
          if (method === 'GET') await call.access.identify(door, call);
          return fit(handled instanceof Streamed ? handled.during(watch) : handled);
        } catch (error) {
          return refused(error);
        } finally {
          stopWatching();
        }
      },
    };
  }
  return { defineRoute };
}

/** A header that the document does not describe reaches nobody who writes a client by it. */
function requireDescribed(reply: Reply, { location, path }: { location?: string; path: string }): Reply {
  if (reply.headers['location'] === undefined || location !== undefined) return reply;
  throw new Error(`${path} answers with Location: say in its definition what that names.`);
}

/** The agency to which a request's statements count: that of its key, or the one that the operator's key names. */
function agencyOf(who: Identified, { scope, caller }: Granted[Auth]): string | undefined {
  if ('agencyId' in who) return who.agencyId;
  if (scope) return scope.agencyId;
  if (caller === undefined) return undefined;
  if ('reach' in caller) return caller.reach.agencyId;
  return 'agencyId' in caller ? caller.agencyId : undefined;
}

/** Percent-encoded, because a header holds no other letters than those of English. */
const ACTOR_HEADER = 'x-engine-actor';
const MAX_LENGTH = 128;

/** Reads the name of the person who acts with a key that several people share. */
function actorOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers[ACTOR_HEADER];
  if (given === undefined || given === '') return undefined;
  const name = typeof given === 'string' ? decoded(given) : undefined;
  if (name === '') return undefined;
  if (name !== undefined && name.length <= MAX_LENGTH && !name.includes('\u0000')) return name;
  throw invalid({
    pointer: 'header/X-Engine-Actor',
    message: `must be a percent-encoded name of 1 to ${MAX_LENGTH} characters`,
  });
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return undefined;
  }
}
