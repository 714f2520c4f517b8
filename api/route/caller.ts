import type { IncomingHttpHeaders } from 'node:http';
import type { NamedObject, Owner } from '../../db/tenants/implied-tenant.ts';
import type { Caller, LoginRef } from '../../domain/caller.ts';
import type { Reach, Scope, TenantScope } from '../../domain/scope.ts';
import type { KeyScope } from '../../domain/tenants/api-key.ts';
import type { AgencyStatus } from '../../domain/tenants/dashboard.ts';

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
  /** The name of the person who acts, as the request gives it. */
  actor?: string;
  /** Present for somebody who is logged in to the console. */
  login?: LoginRef;
}

/** Returns the name under which the caller acts, if the body gives one: the holder of a link has no other than its. */
export function actingAs({ actor, login }: Pick<KeyHolder, 'actor' | 'login'>, given?: string): string | undefined {
  return login?.link ? actor : (given ?? actor);
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
  /** The owners of those objects that exist, each once; of one agency only unless that is null. */
  ownersOf(agencyId: string | null, objects: readonly NamedObject[]): Promise<Owner[]>;
  /** The tenant of an agency that has one only. */
  onlyTenant(agencyId: string): Promise<string | undefined>;
}

export type Identified = Caller | { kind: 'psk' } | { kind: 'anyone' };
