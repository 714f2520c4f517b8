import { sql } from 'kysely';
import { z } from 'zod';
import { EVENT_TYPES, EventMetadata, MessageEventPayload } from '../../../domain/webhooks/event.ts';
import { NetworkMedia } from '../../../domain/network/network-event.ts';
import type { MediaView } from '../../../domain/sending/message.ts';
import { rows } from '../../engine/rows.ts';
import type { Queries, Tx } from '../../engine/tx.ts';
import { insertReleased } from '../event.ts';
import type { WrittenEvent } from '../event.ts';
import { bodyParts } from './event-body.ts';

const HeldRow = z.object({
  id: z.string(),
  agencyId: z.string(),
  tenantId: z.string().nullable(),
  sessionId: z.string(),
  conversationId: z.string(),
  event: z.enum(EVENT_TYPES),
  counts: z.boolean(),
  notTo: z.string().nullable(),
  head: z.string(),
  tail: z.string(),
  whole: z.string().nullable(),
  middle: z.string().nullable(),
  waitsFor: z.string().nullable(),
  media: NetworkMedia.nullable(),
});
type HeldRow = z.output<typeof HeldRow>;

/** Shows the file of a message as its event does. */
type ShowFile = (messageId: string, media: NetworkMedia | null) => MediaView | null;

/**
 * Writes those events of a conversation that were held and need not wait any longer, in their order
 * (`write-events.sql`), and returns the messages whose files they tell of. It comes last in a transaction, because it
 * locks the session's sequence.
 */
export async function releaseEvents(tx: Tx, conversationId: string, showFile: ShowFile): Promise<string[]> {
  const held = await rows(tx, HeldRow)`
    select event_id as id, agency_id as "agencyId", tenant_id as "tenantId", session_id as "sessionId",
      conversation_id as "conversationId", type as event, counts, not_to as "notTo", head, tail, whole, middle,
      waits_for as "waitsFor", media
    from take_held_events(${conversationId}, ${tx.now})`;
  const changed = await readChanged(tx, held);
  const released = held.map((each) => ({ ...eventOf(each), ...bodyOf(tx, each, { showFile, changed }) }));
  await insertReleased(tx, released);
  return held.flatMap(({ waitsFor }) => waitsFor ?? []);
}

function eventOf(held: HeldRow): Omit<WrittenEvent, 'head' | 'tail' | 'whole' | 'middle'> {
  const { id, agencyId, tenantId, sessionId, conversationId, event, counts, notTo } = held;
  return {
    id,
    agencyId,
    tenantId,
    sessionId,
    conversationId,
    event,
    counts,
    ...(notTo === null ? {} : { notTo }),
  };
}

const MessageEvent = z.object({
  event: z.literal('message'),
  payload: MessageEventPayload,
  metadata: EventMetadata,
});

// The sequence, which has its place between the parts, is given only when the event is written.
const messageEventOf = ({ head, tail, whole }: HeldRow) => MessageEvent.parse(JSON.parse(`${whole ?? head}0${tail}`));

const Changed = z.object({ id: z.string(), isRevoked: z.boolean(), isSeenOnce: z.boolean() });
type Changed = Omit<z.output<typeof Changed>, 'id'>;

/** Reads which of these events' messages were deleted for everybody, or marked to be seen once, while they waited. */
async function readChanged(tx: Tx, held: readonly HeldRow[]): Promise<ReadonlyMap<string, Changed>> {
  const said = held.filter(({ event }) => event === 'message').map((each) => messageEventOf(each).payload.messageId);
  if (said.length === 0) return new Map();
  const found = await rows(tx, Changed)`
    select id, revoked_at is not null as "isRevoked", is_seen_once(content) as "isSeenOnce"
    from message where id = any(${said}::text[]) and (revoked_at is not null or is_seen_once(content))`;
  return new Map(found.map(({ id, ...changed }) => [id, changed]));
}

/**
 * Makes the body of an event that has waited for a file anew, because only now it is known what has become of that. The
 * words of a message that was deleted for everybody meanwhile are not told, nor is a file to be seen once.
 */
function bodyOf(
  tx: Tx,
  held: HeldRow,
  { showFile, changed }: { showFile: ShowFile; changed: ReadonlyMap<string, Changed> },
) {
  const { head, tail, whole, middle, waitsFor, media } = held;
  const asItWas = { head, tail, whole, middle };
  if (held.event !== 'message') return asItWas;
  const { event, payload, metadata } = messageEventOf(held);
  const { isRevoked = false, isSeenOnce = false } = changed.get(payload.messageId) ?? {};
  if (waitsFor === null && !isRevoked && !isSeenOnce) return asItWas;
  const { sequence: _, ...rest } = metadata;
  const file = waitsFor === null ? null : showFile(waitsFor, media);
  const shown = waitsFor === null ? {} : { media: file, mediaUrl: file?.url ?? null };
  const once = isSeenOnce ? { hasMedia: false, media: null, mediaUrl: null, ...(isRevoked ? {} : MARK) } : {};
  return bodyParts(tx, { event, payload: { ...payload, ...shown, ...once, ...(isRevoked ? { body: '' } : {}) } }, rest);
}

const MARK = { viewOnce: true } as const;

/** The events that have waited for long enough. */
export const OVERDUE_HOLDS = sql`held_event where waits_until <= clock_timestamp()`;

const Held = z.object({ heldIn: z.string() });

/** Lists conversations in which an event has waited for long enough. */
export async function listOverdueHolds(queries: Pick<Queries, 'sql'>, limit: number): Promise<string[]> {
  const found = await rows(queries, Held)`
    select distinct held_in as "heldIn" from (
      select held_in from ${OVERDUE_HOLDS} order by waits_until limit ${limit}) overdue`;
  return found.map(({ heldIn }) => heldIn);
}

/** Finds the conversation in which the event of a message is held; null when it is not. */
export async function findHoldOf(queries: Pick<Queries, 'sql'>, messageId: string): Promise<string | null> {
  const [found] = await rows(queries, Held)`
    select held_in as "heldIn" from held_event where waits_for = ${messageId}`;
  return found?.heldIn ?? null;
}
