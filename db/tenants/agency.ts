import { defineEntity, p } from '@mikro-orm/core';
import type { InferEntity } from '@mikro-orm/core';
import { AGENCY_STATUSES } from '../../domain/tenants/dashboard.ts';
import type { RegisterDashboard } from '../../domain/tenants/dashboard.ts';
import type { OwnLimits } from '../../domain/tenants/limits.ts';
import { DEFAULT_EVENTS, ENDPOINT_EVENTS } from '../../domain/webhooks/event.ts';
import type { z } from 'zod';
import { run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { insertEndpoint } from '../webhooks/endpoint.ts';
import { recordChange } from '../audit.ts';
import type { ChangedBy } from '../audit.ts';
import { makeApiKey } from './rotate-key.ts';

export const Agency = defineEntity({
  name: 'Agency',
  tableName: 'agency',
  properties: {
    id: p.string().primary(),
    dashboardName: p.string(),
    status: p.enum(AGENCY_STATUSES),
    limits: p.json<OwnLimits>(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
    firstWorkingAt: p.datetime().nullable(),
    suspendedAt: p.datetime().nullable(),
    suspendedReason: p.string().nullable(),
  },
});
export type Agency = InferEntity<typeof Agency>;

/** Writes the agency, its dashboard's endpoint and its key. False when the agency is registered already. */
export async function registerAgency(
  tx: Tx,
  dashboard: Pick<z.infer<typeof RegisterDashboard>, 'agencyId' | 'dashboardName' | 'dashboardUrl' | 'webhookSecret'>,
  by: ChangedBy,
): Promise<{ apiKey: string } | false> {
  const inserted = await run(tx)`
    insert into agency (id, dashboard_name) values (${dashboard.agencyId}, ${dashboard.dashboardName})
    on conflict (id) do nothing returning id`;
  if (inserted === 0) return false;
  await insertEndpoint(tx, {
    agencyId: dashboard.agencyId,
    source: 'dashboard',
    tenantIds: null,
    url: dashboard.dashboardUrl,
    secret: dashboard.webhookSecret,
    // The dashboard's endpoint also gets the notices about the agency's other endpoints.
    events: [...DEFAULT_EVENTS, ...ENDPOINT_EVENTS],
  });
  const { agencyId } = dashboard;
  await recordChange(tx, { of: { agencyId }, object: 'dashboard', objectId: agencyId, action: 'created' }, by);
  const of = { kind: 'dashboard', agencyId, tenantId: null, sessionId: null } as const;
  const key = { ...of, name: 'registration', scopes: [], expiresAt: null, defaultRecipient: null };
  const { apiKey } = await makeApiKey(tx, key, by);
  return { apiKey };
}

export async function findAgency(queries: Queries, agencyId: string): Promise<Agency | null> {
  return queries.em.findOne(Agency, { id: agencyId });
}
