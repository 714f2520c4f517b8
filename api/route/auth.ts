import type { IncomingHttpHeaders } from 'node:http';
import { EngineError, notFound } from '../../domain/error.ts';
import type { Caller, Reach, Scope, TenantScope } from '../../domain/scope.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { AgencyStatus } from '../../domain/tenants/dashboard.ts';
import { apiKeyOf, isSecret, pskOf } from './credentials.ts';
import { missingTarget } from './target.ts';
import type { NamedTarget } from './target.ts';

/**
 * The kinds of callers that a route may have. `backend` is the callback of the backend: its handler checks the
 * signature over the raw body.
 */
export type Auth = 'tenant' | 'client' | 'agency' | 'master' | 'psk' | 'public' | 'backend';

/** The key's id for audits and logs; `master` and `psk` stand for the two secrets of the operator. */
export interface KeyHolder {
  keyId: string;
  kind: Identified['kind'];
  /** What a session's key may do beyond acting for its session; empty for other keys, which need none. */
  scopes: readonly KeyScope[];
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

/** Looks up keys, agencies and tenants in the database. Keys are opaque here. */
export interface Identity {
  /** Undefined for a key that is unknown, expired or revoked. */
  findCaller(apiKey: string): Promise<Caller | undefined>;
  tenantExists(scope: TenantScope): Promise<boolean>;
  /** Undefined when the agency is not registered. */
  agencyStatus(agencyId: string): Promise<AgencyStatus | undefined>;
}

export interface OperatorSecrets {
  masterKey: string | undefined;
  internalPsk: string | undefined;
}

export type Identified = Caller | { kind: 'psk' } | { kind: 'anyone' };

export interface Access {
  /**
   * Says who calls, or refuses: with 401 without a valid key, and with 403 for a key that may never use this kind of
   * route.
   */
  identify(auth: Auth, headers: IncomingHttpHeaders): Promise<Identified>;
  /** Returns what this caller may touch in this request, or answers as if the target did not exist. */
  grant<A extends Auth>(auth: A, who: Identified, target: NamedTarget, createsTenant: boolean): Promise<Granted[A]>;
}

type Grants = {
  [A in Auth]: (who: Identified, target: NamedTarget, createsTenant: boolean) => Promise<Granted[A]>;
};

export function keyIdOf(who: Identified): string | undefined {
  if ('keyId' in who) return who.keyId;
  return who.kind === 'anyone' ? undefined : who.kind;
}

export function createAccess(identity: Identity, secrets: OperatorSecrets): Access {
  const grants: Grants = {
    tenant: async (who, target, createsTenant) => ({
      scope: await tenantOf(identity, who, target, createsTenant),
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
  return {
    async identify(auth, headers) {
      if (auth === 'public' || auth === 'backend') return { kind: 'anyone' };
      if (auth === 'psk') {
        if (isSecret(pskOf(headers), secrets.internalPsk)) return { kind: 'psk' };
        throw unauthorized('Send Authorization: PSK <secret>.', 'PSK');
      }
      const caller = await callerOf(identity, secrets, apiKeyOf(headers));
      if (auth === 'master' && caller.kind !== 'master') {
        throw new EngineError('forbidden', 'This route takes the master key only.');
      }
      if (auth === 'agency' && caller.kind === 'session') {
        throw new EngineError('forbidden', "This route takes the dashboard's key.");
      }
      return caller;
    },
    async grant(auth, who, target, createsTenant) {
      return grants[auth](who, target, createsTenant);
    },
  };
}

async function callerOf(identity: Identity, secrets: OperatorSecrets, apiKey: string | undefined): Promise<Caller> {
  if (isSecret(apiKey, secrets.masterKey)) return { kind: 'master' };
  const caller = apiKey === undefined ? undefined : await identity.findCaller(apiKey);
  // Missing, malformed, unknown, expired and revoked keys get one answer, so that a caller cannot tell which it was.
  if (caller === undefined) throw unauthorized('Send a valid key in the X-API-Key header.', 'ApiKey');
  if (caller.kind !== 'master' && (await identity.agencyStatus(caller.agencyId)) === 'suspended') {
    throw new EngineError('dashboard_suspended', 'The operator of the engine suspended this dashboard.');
  }
  return caller;
}

async function tenantOf(
  identity: Identity,
  who: Identified,
  target: NamedTarget,
  createsTenant: boolean,
): Promise<Scope> {
  if (who.kind === 'session') {
    const { agencyId, tenantId, sessionId } = who;
    if (isOther(target.agencyId, agencyId) || isOther(target.tenantId, tenantId)) throw notFound('tenant');
    return { agencyId, tenantId, sessionId };
  }
  const agencyId = await agencyOf(identity, who, target, 'tenant');
  if (target.tenantId === undefined) throw missingTarget(target, 'tenantId');
  const scope = { agencyId, tenantId: target.tenantId };
  if (!createsTenant && !(await identity.tenantExists(scope))) throw notFound('tenant');
  return { ...scope, sessionId: null };
}

async function reachOf(identity: Identity, who: Identified, target: NamedTarget): Promise<Reach> {
  if (who.kind === 'session' || target.tenantId !== undefined) return tenantOf(identity, who, target, false);
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
  if ((await identity.agencyStatus(target.agencyId)) === undefined) throw notFound(what);
  return target.agencyId;
}

function isOther(named: string | undefined, own: string): boolean {
  return named !== undefined && named !== own;
}

function holder(who: Identified): KeyHolder {
  return { keyId: keyIdOf(who) ?? 'none', kind: who.kind, scopes: who.kind === 'session' ? who.scopes : [] };
}

function unauthorized(detail: string, scheme: string): EngineError {
  return new EngineError('unauthorized', detail, { headers: { 'www-authenticate': `${scheme} realm="engine"` } });
}
