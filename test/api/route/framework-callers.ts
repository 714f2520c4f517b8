import type { Identity } from '../../../api/route/caller.ts';
import type { Caller } from '../../../domain/caller.ts';
import { KEY_SCOPES } from '../../../domain/tenants/api-key.ts';
import type { KeyScope } from '../../../domain/tenants/api-key.ts';

const ALL_OF_SESSION: KeyScope[] = ['send', 'read', 'passthrough'];
const ofSession = (agencyId: string, keyId: string, sessionId: string, scopes = ALL_OF_SESSION): Caller => {
  return { kind: 'session', keyId, agencyId, tenantId: 't1', sessionId, scopes };
};
const ofDashboard = (agencyId: string, keyId: string): Caller => {
  return { kind: 'dashboard', keyId, agencyId, scopes: KEY_SCOPES };
};
const CALLERS: Record<string, Caller> = {
  'session-of-acme-t1': ofSession('acme', 'key1', 'ses_1'),
  'session-of-acme-t1-without-passthrough': ofSession('acme', 'key6', 'ses_1', ['send', 'read']),
  'session-of-acme-t1-without-send': ofSession('acme', 'key7', 'ses_1', ['read', 'passthrough']),
  'dashboard-of-acme': ofDashboard('acme', 'key2'),
  'dashboard-of-globex': ofDashboard('globex', 'key3'),
  'dashboard-of-umbra': ofDashboard('umbra', 'key4'),
  'session-of-umbra': ofSession('umbra', 'key5', 'ses_9'),
};
const TENANTS = ['acme/t1', 'acme/t2', 'globex/t1', 'umbra/t1'];

const OWNERS: Record<string, { agencyId: string; tenantId: string }> = {
  ses_1: { agencyId: 'acme', tenantId: 't1' },
  wa_acme_t1: { agencyId: 'acme', tenantId: 't1' },
  wa_globex_t1: { agencyId: 'globex', tenantId: 't1' },
};

/** The callers of the framework's tests, and their tenants. */
export const identity: Identity = {
  findCaller: async (apiKey) => CALLERS[apiKey],
  idOf: (apiKey) => CALLERS[apiKey]?.kind,
  isFamiliar: () => false,
  ownersOf: async (agencyId, objects) =>
    objects.flatMap(({ ref }) => OWNERS[ref] ?? []).filter((owner) => agencyId === null || owner.agencyId === agencyId),
  onlyTenant: async () => undefined,
  tenantExists: async ({ agencyId, tenantId }) => TENANTS.includes(`${agencyId}/${tenantId}`),
  agencyStatus: async (agencyId) => {
    if (agencyId === 'umbra') return 'suspended';
    return TENANTS.some((tenant) => tenant.startsWith(`${agencyId}/`)) ? 'active' : undefined;
  },
};
