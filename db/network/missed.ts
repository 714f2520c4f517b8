import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { z } from 'zod';
import { bringsContent, isEmptied, isSeenOnce, says } from '../../domain/network/missed.ts';
import type { NetworkEvent, NetworkMessage } from '../../domain/network/network-event.ts';
import { Timestamp } from '../engine/columns.ts';
import { one } from '../engine/rows.ts';
import type { Session } from '../sessions/session.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { lockSessionEvents } from '../sessions/lock-events.ts';
import { applyShown, readUnheard } from './changes/shown.ts';
import type { ShownChanges } from './changes/shown.ts';
import { applyNetworkEvents } from './ingest.ts';
import { erasedDigester } from '../personal-data/erased-address.ts';
import { LACKS_CONTENT, LACKS_MARK, occurredAt, sendersOf } from './network-message.ts';
import type { EventSession } from './network-message.ts';
import { countUnknownContent } from './unknown-report.ts';

/** An SQL condition: the message `m` came by a read of the history alone, when it was to be told; notices are not. */
function isUntold(toldSince: Date | null): RawBuilder<boolean> {
  return sql`(m.origin = 'history' and not coalesce(m.content ? 'notice', false)
    and coalesce(m.occurred_at >= ${toldSince}::timestamptz, false))`;
}

const Known = z.object({
  heardAt: Timestamp.nullable(),
  isBehind: z.boolean(),
  unknown: z.array(z.string()),
});

/**
 * Says which of these messages are not here, and when the session last heard a contact. A message since `toldSince`
 * that only a read of the history has brought counts as not here, because nobody was told of it. `isBehind`: the
 * backend has told of something that waits to be applied, which may be one of them.
 */
export async function readUnknown(
  queries: Queries,
  session: EventSession,
  { shown, toldSince }: { shown: readonly NetworkMessage[]; toldSince: Date | null },
): Promise<z.output<typeof Known>> {
  const { id, name } = session;
  const given = JSON.stringify(await givenOf(queries, session, shown));
  return one(queries, Known)`
    select (select heard_at from session_hearing where session_id = ${id}) as "heardAt",
      exists (select 1 from backend_event where session_name = ${name} and applied_at is null
        and parked_at is null) as "isBehind",
      array(select g.id from jsonb_to_recordset(${given}::jsonb) as g(id text, digests jsonb, at timestamptz)
        -- With exists, the planner may read all messages of the session; with a limit it cannot.
        where (select true from message m
            where m.network_id = g.id and m.session_id = ${id} and m.direction in ('in', 'out')
              and not ${isUntold(toldSince)} limit 1) is null
          and not exists (select 1 from parked_own_message p where p.session_id = ${id} and p.network_id = g.id)
          and not ${wasDeleted(queries, session)}
      ) as unknown`;
}

/** Messages as the statements here read them; what was deleted is no loss. */
async function givenOf(queries: Queries, session: EventSession, shown: readonly NetworkMessage[]) {
  const digestsOf = await erasedDigester(queries, [session]);
  return shown.map((message) => ({
    id: message.networkId,
    says: says(message),
    brings: bringsContent(message),
    marks: isSeenOnce(message),
    isEmptied: isEmptied(message),
    at: occurredAt(message, queries.now),
    digests: digestsOf(session, sendersOf(message)),
  }));
}

/** An SQL condition: the given message `g` was deleted, so that it is not missing. */
function wasDeleted(queries: Queries, { id, agencyId, tenantId }: EventSession): RawBuilder<boolean> {
  return sql`is_deleted(${agencyId}, ${tenantId}, ${id}, g.digests, g.at, true, ${queries.now})`;
}

const Behind = z.object({ isBehind: z.boolean() });

/** Events that the processes take as they come wait for less than this. */
const BEHIND_AFTER = '2 seconds';

/** Says whether events of the session have waited to be applied for a while: what seems to be missed may be there. */
export async function isBehind(queries: Queries, { name }: Pick<Session, 'name'>): Promise<boolean> {
  const found = await one(queries, Behind)`
    select exists (select 1 from backend_event where session_name = ${name} and applied_at is null
      and parked_at is null and attempts = 0
      and received_at < clock_timestamp() - ${BEHIND_AFTER}::interval) as "isBehind"`;
  return found.isBehind;
}

interface Compared {
  shown: readonly NetworkMessage[];
  toldSince: Date;
  /** Changes of these messages, and of older ones. */
  changes: ShownChanges;
}

const Missed = z.object({ missing: z.array(z.string()), deleted: z.array(z.string()) });

/** The result of comparing shown messages with ours. */
export interface Recovered {
  /** Messages of contacts. */
  recovered: number;
  /** Messages of our own account. */
  own: number;
  /** Messages that were here and that their senders have deleted. */
  revoked: number;
  /** Edits and reactions. */
  changed: number;
}

/**
 * Brings in what is not here of messages that the backend shows of one chat, given with the oldest first, as if it told
 * of them now: dashboards get their events, and the agent owes those that are young enough an answer. A message since
 * `toldSince` that only a read of the history has brought was told to nobody, and counts as missed. A message that the
 * backend tells of later is known by its network id and changes nothing. The session's events are not applied
 * meanwhile, for they may bring the same, so it is brought in once. Changes of messages come after them.
 */
export async function bringInMissed(
  tx: Tx,
  session: EventSession,
  { shown, toldSince, changes }: Compared,
): Promise<Recovered> {
  await lockSessionEvents(tx, session.name);
  const { missing, deleted } = await readMissed(tx, session, { shown, toldSince });
  const isMissing = new Set(missing);
  const inOrder = shown.filter(({ networkId }) => isMissing.has(networkId));
  const own = inOrder.filter(({ fromMe }) => fromMe);
  const ofContacts = inOrder.filter(({ fromMe }) => !fromMe);
  // The own ones come first, so that the agent does not answer what was answered on the phone.
  const events = [
    ...own.map(toEvent),
    ...ofContacts.flatMap((message) =>
      isEmptied(message) ? [toEvent(message), toRevoke(message)] : [toEvent(message)],
    ),
    ...shown.filter(({ networkId }) => deleted.includes(networkId)).map(toRevoke),
  ];
  await applyNetworkEvents(
    tx,
    events.map((event) => ({ session, event, receivedAt: null })),
  );
  const { changed, revoked } = await applyShown(tx, session, changes);
  // Last, because all tenants share the rows of the counts.
  await countUnknownContent(tx, session, inOrder);
  return { recovered: ofContacts.length, own: own.length, revoked: deleted.length + revoked, changed };
}

/** True when {@link bringInMissed} would change something. */
export async function isAnyMissed(queries: Queries, session: EventSession, compared: Compared): Promise<boolean> {
  const { missing, deleted } = await readMissed(queries, session, compared);
  if (missing.length > 0 || deleted.length > 0) return true;
  return (await readUnheard(queries, session, compared.changes)).length > 0;
}

async function readMissed(
  queries: Queries,
  session: EventSession,
  { shown, toldSince }: Omit<Compared, 'changes'>,
): Promise<z.output<typeof Missed>> {
  const { id } = session;
  const given = JSON.stringify(await givenOf(queries, session, shown));
  return one(queries, Missed)`
    with given as (
      select * from jsonb_to_recordset(${given}::jsonb) as g(id text, says boolean, brings boolean, marks boolean,
        "isEmptied" boolean, digests jsonb, at timestamptz)
    )
    select
      array(select g.id from given g where g.says
        and (select true from message m
          where m.network_id = g.id and m.session_id = ${id} and m.direction in ('in', 'out')
            and not ${isUntold(toldSince)}
            -- The content of a message that came without it is news, and so is a mark that its file is to go.
            and not (g.brings and ${LACKS_CONTENT}) and not (g.marks and ${LACKS_MARK}) limit 1) is null
        and not exists (select 1 from parked_own_message p where p.session_id = ${id} and p.network_id = g.id)
        and not ${wasDeleted(queries, session)}
      ) as missing,
      array(select g.id from given g join message m
        on m.network_id = g.id and m.session_id = ${id} and m.direction = 'in'
        where g."isEmptied" and m.kind = 'text' and m.body <> '' and m.revoked_at is null
      ) as deleted`;
}

function toEvent(message: NetworkMessage): NetworkEvent {
  return { kind: 'message', key: `missed:${message.networkId}`, message, isRecovered: true };
}

/** Whoever deleted it, the list does not say; as a rule it was who wrote it. */
function toRevoke({ networkId, chatId, fromMe, participant, aliases, timestamp }: NetworkMessage): NetworkEvent {
  const by = { fromMe, chatId, participant, aliases };
  const at = timestamp * 1_000;
  return { kind: 'revoked', key: `missed-revoke:${networkId}`, networkId, by, at, toldAt: at };
}
