import { z } from 'zod';
import { chatKind } from '../../../domain/network/chat-id.ts';
import type { MessageChange } from '../../../domain/network/message-change.ts';
import { Timestamp } from '../../engine/columns.ts';
import { withoutErased } from '../../personal-data/erased-address.ts';
import { rows, run } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import type { EventSession } from '../network-message.ts';
import { applyChange } from './change.ts';
import { respondersOf, valueOf } from './response.ts';

/** Changes of messages in a backend's list that was requested at `listedAt`. */
export interface ShownChanges {
  changes: readonly MessageChange[];
  listedAt: Date;
}

/** A comparison that is about messages alone. */
export const NO_CHANGES: ShownChanges = { changes: [], listedAt: new Date(0) };

const Unheard = z.object({ place: z.int(), at: Timestamp });

/**
 * Says which of these changes nobody has told of: those after which their messages would be other than they are here. A
 * list shows a message as it is now, so an edit of it comes after those that are known, unless one of them has said the
 * same, or the message has changed while the list was read. Messages that are not here are left out.
 */
export async function readUnheard(
  queries: Queries,
  session: Pick<EventSession, 'id' | 'agencyId' | 'tenantId'>,
  { changes, listedAt }: ShownChanges,
): Promise<MessageChange[]> {
  if (changes.length === 0) return [];
  const given = JSON.stringify(changes.map((change, place) => ({ place, ...comparedOf(change) })));
  const unheard = await rows(queries, Unheard)`
    select g.place, greatest(g.at, g.at_least) as at
    from (
      select g.*, m.id as message_id, m.body as known, m.edited_at, m.updated_at,
        (select max(v.at) + interval '1 millisecond' from message_version v
          where g.kind = 'edited' and v.message_id = m.id) as at_least
      from jsonb_to_recordset(${given}::jsonb) as g(place integer, kind text, "networkId" text, body text,
        value text[], responders text[], at timestamptz, "toldAt" timestamptz)
      join message m on m.session_id = ${session.id} and m.network_id = g."networkId" and m.direction in ('in', 'out')
      where m.revoked_at is null
    ) g
    where case g.kind
      when 'revoked' then true
      when 'edited' then g.known <> g.body and (g.edited_at is null or g.updated_at < ${listedAt})
        -- With exists, the planner may read all versions of all messages; with a limit it cannot.
        and (select true from message_version v
          where v.message_id = g.message_id and v.edit_id <> '' and v.body = g.body limit 1) is null
      else coalesce((select r.value is distinct from g.value and (r.at, r.told_at) < (g.at, g."toldAt")
          from message_response r
          where r.message_id = g.message_id and r.kind = g.kind and r.responder = any(g.responders)
          order by r.at desc, r.told_at desc limit 1), g.value <> '{}')
    end
    order by g.place`;
  const found = unheard.flatMap(({ place, at }) => {
    const change = changes[place];
    return change === undefined ? [] : [change.kind === 'edited' ? { ...change, at: at.getTime() } : change];
  });
  // A list shows for ever what somebody has done who was erased since.
  return withoutErased(queries, session, found, ({ by: { chatId, participant, aliases }, toldAt }) => ({
    chatIds: [...[participant ?? chatId].filter((address) => address !== null), ...aliases],
    at: new Date(toldAt),
  }));
}

/**
 * Applies what the backend shows and has not told of; dashboards hear of it as if it did, except of messages that are
 * new here (`newIds`). Returns how many of the changes made a message another one, those that took it back left out.
 */
export async function applyShown(
  tx: Tx,
  session: EventSession,
  { newIds = new Set(), ...shown }: ShownChanges & { newIds?: ReadonlySet<string> },
): Promise<{ changed: number; revoked: number }> {
  await markEdited(tx, session, shown);
  const applied = { changed: 0, revoked: 0 };
  for (const change of await readUnheard(tx, session, shown)) {
    const isOther = await applyChange(tx, session.id, { change, tells: !newIds.has(change.networkId) });
    if (isOther) applied[change.kind === 'revoked' ? 'revoked' : 'changed'] += 1;
  }
  return applied;
}

/** Messages that came with the words of their last edit were edited, too; what they said before nobody can tell. */
async function markEdited(tx: Tx, { id }: EventSession, { changes }: ShownChanges): Promise<void> {
  const edits = changes.filter(({ kind }) => kind === 'edited');
  if (edits.length === 0) return;
  await run(tx)`
    update message m set edited_at = greatest(g.at, m.occurred_at), updated_at = ${tx.now}
    from jsonb_to_recordset(${JSON.stringify(edits.map(comparedOf))}::jsonb) as g("networkId" text, body text,
      at timestamptz)
    where m.session_id = ${id} and m.network_id = g."networkId" and m.direction in ('in', 'out')
      and m.edited_at is null and m.revoked_at is null and m.body = g.body`;
}

function comparedOf(change: MessageChange) {
  const { kind, networkId, by, at, toldAt } = change;
  const isResponse = kind === 'reaction' || kind === 'vote';
  return {
    kind,
    networkId,
    body: kind === 'edited' ? change.body : null,
    value: isResponse ? valueOf(change) : null,
    responders: respondersOf({ isGroup: chatKind(by.chatId ?? '') === 'group' }, by),
    at: new Date(at),
    toldAt: new Date(toldAt),
  };
}
