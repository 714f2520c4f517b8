import type { IncomingHttpHeaders } from 'node:http';
import { EngineError, notFound } from '../../domain/error.ts';
import type { Caller, Reach, Scope, TenantScope } from '../../domain/scope.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { AgencyStatus } from '../../domain/tenants/dashboard.ts';
import { apiKeyOf, pskOf, secretCheck } from './credentials.ts';
import { FailedKeys, networkOf, noValidKey, refusal, unauthorized } from './failed-keys.ts';
import { requireKeyScope } from './key-scope.ts';
import { requireWithinLink } from '../console/link-bounds.ts';
import { createKeyWatch } from './key-watch.ts';
import type { GiveUp } from './key-watch.ts';
import type { NamedObject } from './object-in-path.ts';
import { missingTarget } from './target.ts';
import type { NamedTarget } from './target.ts';

/**
 * The kinds of callers that a route may have. `backend` is the callback of the backend: its handler checks the
 * signature over the raw body.
 */
export type Auth = 'tenant' | 'client' | 'agency' | 'master' | 'psk' | 'public' | 'backend';

/** The kinds that open to the keys of agencies. */
export type KeyAuth = 'tenant' | 'client' | 'agency';

/** The key's id for audits and logs; `master` and `psk` stand for the two secrets of the operator. */
export interface KeyHolder {
  keyId: string;
  kind: Identified['kind'];
  /** All that the key may do; the operator's secrets may do everything. */
  scopes: readonly KeyScope[] | 'all';
}

/** The scope and the caller that each kind of route gives its handler. */
export interface Granted {
  tenant: { scope: Scope; caller: KeyHolder };
  client: { scope: undefined; caller: KeyHolder & { reach: Reach } };
  agency: { scope: undefined; caller: KeyHolder & { agencyId: string } };
  master: { scope: undefined; caller: KeyHolder };
  psk: { scope: undefined; caller: KeyHolder };
  public: { scope: undefined; caller: undefined };
  backend: { scope: undefined; caller: undefined };
}

/** The door that a caller stands at: the kind of the route and what a key needs for it. */
export interface Door {
  auth: Auth;
  /** Null where no agency's key opens. */
  scope: KeyScope | null;
  /** No session's key opens, whatever its scopes; the master key does. */
  dashboardOnly?: boolean;
}

/** A request, as far as it says who asks. */
export interface Asking {
  headers: IncomingHttpHeaders;
  /** The address that the request came from. */
  address: string;
  method: string;
  /** The route's template, with its parameters and the query, by which it is decided what a link may ask. */
  route: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string | string[] | undefined>>;
}

/** Knows who asks by the console's cookie, without a key. */
export interface Logins {
  /** Undefined where the request has no such cookie; refuses one that has ended, or that another page has sent. */
  callerOf(asking: Asking): Promise<Caller | undefined>;
}

const NO_LOGINS: Logins = { callerOf: async () => undefined };

/** Looks up keys, agencies and tenants in the database. Keys are opaque here. */
export interface Identity {
  /** Undefined for a key that is unknown, expired or revoked. */
  findCaller(apiKey: string): Promise<Caller | undefined>;
  /** The public part of a key; undefined for what cannot be a key. */
  idOf(apiKey: string): string | undefined;
  /** True when a key of this id works or did lately, so that looks at it are few: each is remembered for a moment. */
  isFamiliar(keyId: string): boolean;
  tenantExists(scope: TenantScope): Promise<boolean>;
  /** Undefined when the agency is not registered. */
  agencyStatus(agencyId: string): Promise<AgencyStatus | undefined>;
  /** The tenant that has the object; undefined when no tenant of the agency has it. */
  tenantOfObject(agencyId: string, object: NamedObject): Promise<string | undefined>;
  /** The tenant of an agency that has one only. */
  onlyTenant(agencyId: string): Promise<string | undefined>;
}

export interface OperatorSecrets {
  masterKey: string | undefined;
  internalPsk: string | undefined;
}

export type Identified = Caller | { kind: 'psk' } | { kind: 'anyone' };

export interface Access {
  /**
   * Says who calls, or refuses: with 401 without a valid key, with 429 after too many of those, and with 403 for a key
   * that may never use this kind of route.
   */
  identify(door: Door, asking: Asking): Promise<Identified>;
  /** Has `giveUp` called with the reason once the key opens the door no more, until the returned function is called. */
  watch(door: Door, asking: Asking, giveUp: GiveUp): () => void;
  /** Returns what this caller may touch in this request, or answers as if the target did not exist. */
  grant<A extends Auth>(
    auth: A,
    who: Identified,
    target: NamedTarget,
    takesUnknownTenant: boolean,
  ): Promise<Granted[A]>;
}

type Grants = {
  [A in Auth]: (who: Identified, target: NamedTarget, takesUnknownTenant: boolean) => Promise<Granted[A]>;
};

export function keyIdOf(who: Identified): string | undefined {
  if ('keyId' in who) return who.keyId;
  return who.kind === 'anyone' ? undefined : who.kind;
}

export function createAccess(
  identity: Identity,
  secrets: OperatorSecrets,
  failedKeys: FailedKeys = new FailedKeys(0),
  logins: Logins = NO_LOGINS,
): Access {
  const means = { identity, isMasterKey: secretCheck(secrets.masterKey), failedKeys, logins };
  const isPsk = secretCheck(secrets.internalPsk);
  const grants: Grants = {
    tenant: async (who, target, takesUnknownTenant) => ({
      scope: await tenantOf(identity, who, target, takesUnknownTenant),
      caller: holder(who),
    }),
    client: async (who, target) => ({
      scope: undefined,
      caller: { ...holder(who), reach: await reachOf(identity, who, target) },
    }),
    agency: async (who, target) => ({
      scope: undefined,
      caller: { ...holder(who), agencyId: await agencyOf(identity, who, target) },
    }),
    master: async (who) => ({ scope: undefined, caller: holder(who) }),
    psk: async (who) => ({ scope: undefined, caller: holder(who) }),
    public: async () => ({ scope: undefined, caller: undefined }),
    backend: async () => ({ scope: undefined, caller: undefined }),
  };
  const access: Access = {
    async identify({ auth, scope, dashboardOnly = false }, asking) {
      if (auth === 'public' || auth === 'backend') return { kind: 'anyone' };
      if (auth === 'psk') {
        if (isPsk(pskOf(asking.headers))) return { kind: 'psk' };
        throw refusal(
          failedKeys,
          [networkOf(asking.address)],
          unauthorized(
            "Send Authorization: PSK <secret>, with the engine's WORKFLOW_ENGINE_INTERNAL_PSK; npm start shows it.",
            'PSK',
          ),
        );
      }
      const caller = await callerOf(means, asking);
      if (auth === 'master' && caller.kind !== 'master') {
        throw new EngineError('forbidden', 'This route takes the master key only.');
      }
      // Before the scopes: no scope would open it to a session's key.
      if (caller.kind === 'session' && (dashboardOnly || auth === 'agency')) {
        throw new EngineError(
          'forbidden',
          "This route takes the dashboard's key: use that instead of a session's key.",
        );
      }
      if (scope !== null) requireKeyScope(holder(caller), scope);
      if ('bounds' in caller && caller.bounds) requireWithinLink(caller.bounds, asking);
      return caller;
    },
    watch: (door, asking, giveUp) => watchKey(door, asking, giveUp),
    async grant(auth, who, target, takesUnknownTenant) {
      return grants[auth](who, target, takesUnknownTenant);
    },
  };
  const watchKey = createKeyWatch((door, asking) => access.identify(door, asking));
  return access;
}

interface Means {
  identity: Identity;
  isMasterKey: (given: string | undefined) => boolean;
  failedKeys: FailedKeys;
  logins: Logins;
}

/** A key that is sent counts, and the cookie beside it does not. */
async function callerOf(means: Means, asking: Asking): Promise<Caller> {
  const apiKey = apiKeyOf(asking.headers);
  const loggedIn = apiKey === undefined ? await means.logins.callerOf(asking) : undefined;
  const caller = loggedIn ?? (await callerByKey(means, apiKey, asking.address));
  if (caller.kind !== 'master' && (await means.identity.agencyStatus(caller.agencyId)) === 'suspended') {
    throw new EngineError('dashboard_suspended', 'The operator of the engine suspended this dashboard.');
  }
  return caller;
}

async function callerByKey(means: Means, apiKey: string | undefined, address: string): Promise<Caller> {
  const { identity, isMasterKey, failedKeys } = means;
  if (isMasterKey(apiKey)) return { kind: 'master' };
  const keyId = apiKey === undefined ? undefined : identity.idOf(apiKey);
  // A key that is known is looked at in any case, so that others' failures do not lock it out.
  const mayTry = (keyId !== undefined && identity.isFamiliar(keyId)) || failedKeys.waitMs(networkOf(address)) === 0;
  const caller = apiKey === undefined || !mayTry ? undefined : await identity.findCaller(apiKey);
  if (caller === undefined) throw refusal(failedKeys, [networkOf(address), keyId ?? []].flat(), noValidKey());
  return caller;
}

async function tenantOf(
  identity: Identity,
  who: Identified,
  target: NamedTarget,
  takesUnknownTenant: boolean,
): Promise<Scope> {
  if (who.kind === 'session') {
    const { agencyId, tenantId, sessionId } = who;
    if (isOther(target.agencyId, agencyId) || isOther(target.tenantId, tenantId)) throw notFound('tenant');
    return { agencyId, tenantId, sessionId };
  }
  const agencyId = await agencyOf(identity, who, target, 'tenant');
  if (who.kind === 'dashboard' && who.bounds) return tenantOfLink(agencyId, who.bounds.tenantId, target);
  if (target.tenantId === undefined) return impliedTenant(identity, agencyId, target);
  const scope = { agencyId, tenantId: target.tenantId };
  if (!takesUnknownTenant && !(await identity.tenantExists(scope))) throw notFound('tenant');
  return { ...scope, sessionId: null };
}

/** A link is of one tenant, and what another tenant has is answered as what nobody has. */
function tenantOfLink(agencyId: string, tenantId: string, target: NamedTarget): Scope {
  if (isOther(target.tenantId, tenantId)) throw notFound('tenant');
  return { agencyId, tenantId, sessionId: null };
}

/** The tenant may be left out where the path names an object of one, or where the agency has one only. */
async function impliedTenant(identity: Identity, agencyId: string, target: NamedTarget): Promise<Scope> {
  const { object } = target;
  const tenantId =
    (object && (await identity.tenantOfObject(agencyId, object))) ?? (await identity.onlyTenant(agencyId));
  if (tenantId !== undefined) return { agencyId, tenantId, sessionId: null };
  // What another agency has is answered as what nobody has.
  throw object ? notFound(object.kind) : missingTarget(target, 'tenantId');
}

async function reachOf(identity: Identity, who: Identified, target: NamedTarget): Promise<Reach> {
  const isBound = who.kind === 'session' || (who.kind === 'dashboard' && who.bounds !== undefined);
  if (isBound || target.tenantId !== undefined) return tenantOf(identity, who, target, false);
  return { agencyId: await agencyOf(identity, who, target), tenantId: null, sessionId: null };
}

async function agencyOf(
  identity: Identity,
  who: Identified,
  target: NamedTarget,
  what: 'agency' | 'tenant' = 'agency',
): Promise<string> {
  if (who.kind === 'dashboard') {
    if (isOther(target.agencyId, who.agencyId)) throw notFound(what);
    return who.agencyId;
  }
  if (who.kind !== 'master') throw new EngineError('forbidden', 'This key may not act for an agency.');
  if (target.agencyId === undefined) throw missingTarget(target, 'agencyId');
  // The master key may know of any agency, so it hears which of the two is missing.
  if ((await identity.agencyStatus(target.agencyId)) === undefined) throw notFound('agency');
  return target.agencyId;
}

function isOther(named: string | undefined, own: string): boolean {
  return named !== undefined && named !== own;
}

export function holder(who: Identified): KeyHolder {
  return { keyId: keyIdOf(who) ?? 'none', kind: who.kind, scopes: 'scopes' in who ? who.scopes : 'all' };
}
