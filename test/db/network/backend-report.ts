import { randomUUID } from 'node:crypto';
import { parseBackendEvent } from '../../../adapters/backend/events/events.ts';
import { markApplied, takeBackendEvents } from '../../../db/network/backend-event.ts';
import { receiveBackendEvents } from '../../../db/network/receive.ts';
import type { Tx } from '../../../db/engine/tx.ts';
import { applyNetworkEvent } from './apply-event.ts';
import type { Session } from '../../../db/sessions/session.ts';
import type { NetworkMessage } from '../../../domain/network/network-event.ts';

/** The backend's report of a message of our own account. */
export interface OwnReport {
  chatId: string;
  networkId: string;
  body: string;
  source?: NetworkMessage['source'];
  timestamp?: number;
}

const BATCH = 25;
const MAX_BYTES = 1024 * 1024;

/** As the route receives it: stored, and not applied yet. */
export async function report(tx: Tx, { name }: Session, own: OwnReport): Promise<void> {
  const { chatId, networkId, source = 'app', timestamp = Math.floor(Date.now() / 1_000) } = own;
  const payload = { id: `true_${chatId}_${networkId}`, from: chatId, fromMe: true, source, timestamp, hasMedia: false };
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    event: 'message.any',
    session: name,
    payload: { ...payload, body: own.body },
  });
  const { event } = parsed(body);
  if (event.kind !== 'message') throw new Error('It is no message.');
  await receiveBackendEvents(tx, [{ sessionName: name, requestId: null, body, own: event.message }]);
}

/** Applies what the session's backend has told, as the applier does; nothing where another is at it. */
export async function applyReports(tx: Tx, session: Session): Promise<void> {
  const { events } = await takeBackendEvents(tx, [session.name], { limit: BATCH, maxBytes: MAX_BYTES });
  for (const { body, receivedAt } of events) await applyNetworkEvent(tx, session, parsed(body).event, receivedAt);
  if (events.length > 0) await markApplied(tx, events);
}

function parsed(body: string) {
  const result = parseBackendEvent(body);
  if (result.outcome !== 'parsed') throw new Error(`It cannot be read: ${result.reason}.`);
  return result;
}
