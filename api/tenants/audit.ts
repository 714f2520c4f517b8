import { z } from 'zod';
import { listAudit } from '../../db/audit.ts';
import type { AuditEntry, AuditFilter, AuditPlace } from '../../db/audit.ts';
import { isRowNumber } from '../../db/webhooks/delivery-list.ts';
import { KeyId } from '../../domain/ids.ts';
import { ExternalId } from '../../domain/scope.ts';
import { AUDIT_OBJECTS, AuditEntryView } from '../../domain/tenants/audit.ts';
import type { ApiDeps } from '../deps.ts';
import { defineRoute } from '../deps.ts';
import { cursorOf, HasMore, Limit, Moment, NextCursor, nextPage, pageOf } from '../wire/page.ts';

/** A time as PostgreSQL writes it, to the microsecond. */
const PRECISE = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{1,6})?\+00$/;
const Place = z.tuple([z.string().regex(PRECISE), z.string().max(20), z.string().refine(isRowNumber)]);
const Cursor = cursorOf<AuditPlace>({
  read(text) {
    const [at, source, id] = Place.safeParse(text.split('|')).data ?? [];
    return at === undefined || source === undefined || id === undefined ? undefined : { at, source, id };
  },
  write: ({ at, source, id }) => [at, source, id].join('|'),
});

const query = z.object({
  object: z.enum(AUDIT_OBJECTS).optional().meta({ description: 'Only changes of this kind of object.' }),
  objectId: z.string().min(1).max(200).optional().meta({ description: 'Only changes of this object.' }),
  keyId: KeyId.optional().meta({ description: 'Only changes made with this key, `master` or `psk`.' }),
  actor: z.string().min(1).max(500).optional().meta({ description: 'Only changes made by this person.' }),
  since: Moment.optional().meta({ description: 'Only from this time on.' }),
  until: Moment.optional().meta({ description: 'Only before this time.' }),
  limit: Limit,
  cursor: nextPage(Cursor),
});
const reply = z.object({
  entries: z.array(AuditEntryView).meta({ description: 'The changes on this page.' }),
  hasMore: HasMore,
  nextCursor: NextCursor,
});

export const auditRoutes = [
  defineRoute({
    method: 'GET',
    path: '/api/v1/audit',
    auth: 'agency',
    scope: 'admin:read',
    operationId: 'audit.list',
    summary: 'List the audit log of an agency',
    description:
      'Returns the audit log, newest first. It has changes of keys, sessions, settings and endpoints, and ' +
      'decisions about messages and conversations.\n\nIt also has changes of personas, agents and the ' +
      "dashboard, the operator's actions, and decisions made in Temporal.",
    query,
    reply,
    handle: ({ caller, query: asked }, deps) => audit(deps, { agencyId: caller.agencyId }, asked),
  }),

  defineRoute({
    method: 'GET',
    path: '/api/v1/admin/audit',
    auth: 'master',
    operationId: 'audit.listAll',
    summary: 'List the audit log of all agencies',
    description: 'Returns the newest first.',
    query: query.extend({ agencyId: ExternalId.optional().meta({ description: 'Only those of this agency.' }) }),
    reply,
    handle: ({ query: { agencyId = null, ...asked } }, deps) => audit(deps, { agencyId }, asked),
  }),
];

async function audit(
  { database }: Pick<ApiDeps, 'database'>,
  of: Pick<AuditFilter, 'agencyId'>,
  asked: z.output<typeof query>,
) {
  const { limit, cursor: before = null, ...filter } = asked;
  const found = await database.read((queries) =>
    listAudit(queries, { ...filter, ...of }, { before, limit: limit + 1 }),
  );
  const { rows, ...page } = pageOf(found, limit, ({ place }) => Cursor.encode(place));
  return { entries: rows.map(toView), ...page };
}

function toView({ at, place: _place, ...entry }: AuditEntry): z.input<typeof AuditEntryView> {
  return { ...entry, at: at.toISOString() };
}
