import { sql } from 'kysely';
import { z } from 'zod';
import { beginErasure } from '../personal-data/erasure.ts';
import { rows } from '../engine/rows.ts';
import { foundBy } from './repair.ts';
import type { Repair } from './repair.ts';

/**
 * `contactId` is the contact that has the person now, as the event of the merge names it. Events are kept for 30 days,
 * so older ones are not found.
 */
const EMPTY = sql`
  select distinct e.id as "erasureId", e.agency_id as "agencyId", k.id as "contactId"
  from erasure e
  join event v on v.agency_id = e.agency_id and v.tenant_id = e.tenant_id and v.type = 'contact.merged'
    and v.created_at between e.created_at and e.ended_at
  join contact k on k.id = v.body::jsonb #>> '{payload,contactId}' and k.agency_id = e.agency_id
    and k.tenant_id = e.tenant_id
  where e.ended_at is not null and e.report ? 'contact_merge' and not e.report ? 'contact_alias'
    and k.id <> e.contact_id and k.created_at < e.ended_at
    and exists (select from contact_alias a where a.contact_id = k.id)
    and not exists (select from erasure later where later.contact_id = k.id)`;

const EmptyErasure = z.object({ agencyId: z.string(), contactId: z.string() });

/** The key that these erasures name as the one that asked for them. */
const ASKED_BY = 'doctor';

/**
 * Erasures that have erased nothing: the contact was merged into another between the request and the moment, so that a
 * contact without an address was deleted. The erasure of the person begins as a requested one does.
 */
export const emptyErasures: Repair = {
  name: 'empty-erasures',
  title: 'erasures that are done and have left the person, each with the contact that is to be erased',
  deletes: true,
  find: (queries) =>
    foundBy(queries, sql`select empty."erasureId" || ' ' || empty."contactId" as line from (${EMPTY}) empty`),
  async mend(tx) {
    for (const { agencyId, contactId } of await rows(tx, EmptyErasure)`${EMPTY} order by 1, 3`) {
      await beginErasure(tx, agencyId, { contactId, keyId: ASKED_BY });
    }
  },
};
