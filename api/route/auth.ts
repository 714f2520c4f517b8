import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { EngineError } from '../../domain/error.ts';
import type { Caller, LinkBounds } from '../../domain/caller.ts';
import type { Asking, Auth, Door, Granted, Identified, Identity, KeyHolder } from './caller.ts';
import { FailedKeys, networkOf, noValidKey, refusal, unauthorized } from './failed-keys.ts';
import { requireKeyScope } from './key-scope.ts';
import { createKeyWatch } from './key-watch.ts';
import type { GiveUp } from './key-watch.ts';
import { agencyOf, reachOf, tenantOf } from './resolve-target.ts';
import type { NamedTarget } from './target.ts';

/** Knows who asks by the console's cookie, without a key. */
export interface Logins {
  /** Undefined where the request has no such cookie; refuses one that has ended, or that another page has sent. */
  callerOf(asking: Asking): Promise<Caller | undefined>;
  /** Refuses a request that the caller's link does not open. */
  requireWithinLink(bounds: LinkBounds, asking: Asking): void;
}

const NO_LOGINS: Logins = {
  callerOf: async () => undefined,
  requireWithinLink: () => {
    throw new EngineError('forbidden', 'This process knows no links.');
  },
};

export interface OperatorSecrets {
  masterKey: string | undefined;
  internalPsk: string | undefined;
}

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
    actor?: string,
  ): Promise<Granted[A]>;
}

type Grants = {
  [A in Auth]: (
    who: Identified,
    target: NamedTarget,
    asked: { takesUnknownTenant: boolean; actor: string | undefined },
  ) => Promise<Granted[A]>;
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
    tenant: async (who, target, { takesUnknownTenant, actor }) => ({
      scope: await tenantOf(identity, who, target, takesUnknownTenant),
      caller: holder(who, actor),
    }),
    client: async (who, target, { actor }) => ({
      scope: undefined,
      caller: { ...holder(who, actor), reach: await reachOf(identity, who, target) },
    }),
    agency: async (who, target, { actor }) => ({
      scope: undefined,
      caller: { ...holder(who, actor), agencyId: await agencyOf(identity, who, target) },
    }),
    master: async (who, _target, { actor }) => ({ scope: undefined, caller: holder(who, actor) }),
    psk: async (who, _target, { actor }) => ({ scope: undefined, caller: holder(who, actor) }),
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
      if ('bounds' in caller && caller.bounds) logins.requireWithinLink(caller.bounds, asking);
      return caller;
    },
    watch: (door, asking, giveUp) => watchKey(door, asking, giveUp),
    async grant(auth, who, target, takesUnknownTenant, actor) {
      return grants[auth](who, target, { takesUnknownTenant, actor });
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

/** A link says for whom it is, so whatever name its holder sends counts for nothing. */
export function holder(who: Identified, named?: string): KeyHolder {
  const login = 'login' in who ? who.login : undefined;
  const actor = login?.link ? login.link.name.trim() : named;
  const scopes = 'scopes' in who ? who.scopes : 'all';
  return { keyId: keyIdOf(who) ?? 'none', kind: who.kind, scopes, ...(actor && { actor }), ...(login && { login }) };
}

/**
 * Reads the client's key; undefined when the client sent none. Node joins a repeated header with a comma, which no key
 * contains.
 */
function apiKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const given = [headers['x-api-key'], headers['api-key']].flat().filter((key) => key !== undefined && key !== '');
  const [key] = given;
  if (key?.includes(',') || given.some((other) => other !== key)) {
    throw new EngineError('ambiguous_credentials', 'Send one X-API-Key header with one key.');
  }
  return key;
}

/** Reads the secret of `Authorization: PSK <secret>`. */
function pskOf(headers: IncomingHttpHeaders): string | undefined {
  return /^PSK ([\x21-\x7e]+)$/i.exec(headers.authorization ?? '')?.[1];
}

/**
 * Makes the check whether a text is the secret. It compares digests, so that the time of a comparison tells neither the
 * length nor the content of the secret.
 */
function secretCheck(secret: string | undefined): (given: string | undefined) => boolean {
  if (secret === undefined || secret === '') return () => false;
  const expected = hash('sha256', secret, 'buffer');
  return (given) => given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), expected);
}
