import { sql } from 'kysely';
import { z } from 'zod';
import { setOptOut } from '../automations/opt-out.ts';
import { rows } from '../engine/rows.ts';
import { foundBy } from './repair.ts';
import type { Repair } from './repair.ts';

/**
 * A STOP between the merge and its end was kept for the contact that stayed alone, unless the other has said since that
 * it wants messages. A STOP of before, by the contact that went, stayed with the other, too.
 */
const FORGOTTEN = sql`
  with undone as (
    select g.id, g.from_contact_id, g.into_contact_id, g.at, g.undone_at,
      (b.contact->>'opted_out_at')::timestamptz as before_into,
      (f.contact->>'opted_out_at')::timestamptz as before_from
    from contact_merge g
    cross join lateral (select (select c from jsonb_array_elements(nullif(g.before->'contacts', 'null')) c
      where c->>'id' = g.into_contact_id) as contact) b
    cross join lateral (select (select c from jsonb_array_elements(nullif(g.before->'contacts', 'null')) c
      where c->>'id' = g.from_contact_id) as contact) f
    where g.undone_at is not null and g.from_contact_id is not null
  )
  select u.id::text as "mergeId", w.id as "contactId", true as "isOptedOut"
  from undone u join contact s on s.id = u.into_contact_id join contact w on w.id = u.from_contact_id
  where s.opted_out_at between u.at and u.undone_at and w.opted_out_at is null
    and not exists (select from event v where v.agency_id = w.agency_id and v.tenant_id = w.tenant_id
      and v.type = 'contact.updated' and v.created_at > u.undone_at
      and v.body::jsonb #>> '{payload,contactId}' = w.id and v.body::jsonb #> '{payload,changed}' ? 'isOptedOut')
  union all
  select u.id::text, s.id, false
  from undone u join contact s on s.id = u.into_contact_id
  where u.before_into is null and u.before_from is not null and s.opted_out_at = u.before_from`;

const ForgottenStop = z.object({ contactId: z.string(), isOptedOut: z.boolean() });

/** Opt-outs that the undoing of a merge has left with the wrong contact. */
export const forgottenStops: Repair = {
  name: 'forgotten-stops',
  title: 'contacts whose opt-out is with another contact since a merge was undone',
  find: (queries) => foundBy(queries, sql`select stop."contactId" as line from (${FORGOTTEN}) stop`),
  async mend(tx) {
    for (const { contactId, isOptedOut } of await rows(tx, ForgottenStop)`${FORGOTTEN} order by 1, 2`) {
      await setOptOut(tx, contactId, { isOptedOut, by: 'word' });
    }
  },
};
