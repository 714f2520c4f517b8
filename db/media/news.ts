import type { NetworkMedia } from '../../domain/network/network-event.ts';
import type { MediaView } from '../../domain/sending/message.ts';
import { listFetchesBefore, recordFetchEnd } from './fetch.ts';
import type { EndedFetch, FetchEnd } from './fetch.ts';
import { mediaLinksOf } from '../conversations/media-links.ts';
import { mediaView } from './view.ts';
import type { Tx } from '../engine/tx.ts';
import { findHoldOf, releaseEvents } from '../webhooks/events/held-events.ts';

/**
 * Records what has become of a message's file, and tells it: with the message's event where that waits for it, else as
 * `message.media`. Returns false when the fetch had ended before.
 */
export async function endFetch(tx: Tx, messageId: string, end: FetchEnd): Promise<boolean> {
  const ended = await recordFetchEnd(tx, messageId, end);
  if (ended === null) return false;
  if (ended.tells && !(await tellWithEvent(tx, messageId))) tellLate(tx, ended);
  return true;
}

/** A fetch has ended for certain after this time: its workflow gives up after about a day. */
const OVERDUE_AFTER_MS = 2 * 24 * 60 * 60_000;

/** Ends fetches that no workflow has ended, which says that their executions have failed. Returns how many. */
export async function endOverdueFetches(tx: Tx, limit: number): Promise<number> {
  const overdue = await listFetchesBefore(tx, new Date(tx.now.getTime() - OVERDUE_AFTER_MS), limit);
  for (const messageId of overdue) await endFetch(tx, messageId, { error: 'media_unavailable' });
  return overdue.length;
}

/** Writes the events of a conversation that have waited for long enough, and those behind them. */
export async function releaseOverdue(tx: Tx, conversationId: string): Promise<void> {
  await releaseEvents(tx, conversationId, showAwaited(tx));
}

/** False when the message's event has gone out without the file, because that came too late. */
async function tellWithEvent(tx: Tx, messageId: string): Promise<boolean> {
  const conversationId = await findHoldOf(tx, messageId);
  if (conversationId === null) return false;
  const told = await releaseEvents(tx, conversationId, showAwaited(tx));
  // It may still wait behind another file of the conversation; it was released meanwhile when it is not held any more.
  return told.includes(messageId) || (await findHoldOf(tx, messageId)) !== null;
}

function showAwaited(tx: Tx): (messageId: string, media: NetworkMedia | null) => MediaView | null {
  return (messageId, media) => {
    const file = mediaView({ messageId, media }, mediaLinksOf(tx));
    return file === null || file.sizeBytes !== null || file.error
      ? file
      : { ...file, url: null, error: 'media_pending' };
  };
}

function tellLate(tx: Tx, { messageId, contactId, media, ...place }: EndedFetch): void {
  const file = mediaView({ messageId, media }, mediaLinksOf(tx));
  if (file === null) return;
  const { agencyId, tenantId, sessionId, conversationId } = place;
  const timestamp = Math.floor(tx.now.getTime() / 1_000);
  tx.emit({
    event: 'message.media',
    agencyId,
    tenantId,
    sessionId,
    conversationId,
    payload: { messageId, conversationId, contactId, media: file, mediaUrl: file.url, timestamp },
  });
}
