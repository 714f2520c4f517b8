import type { NetworkChatLabelEvent, NetworkLabelEvent } from '../../domain/network/network-event.ts';
import { tellLabels } from './label-event.ts';
import { recordChatLabel, recordLabels, takeOffDeleted } from '../conversations/labels/labels.ts';
import type { Tx } from '../engine/tx.ts';
import type { EventSession } from './network-message.ts';

/** Applies that a label of the account was made, changed or deleted. Safe to repeat. */
export async function applyLabel(tx: Tx, session: EventSession, event: NetworkLabelEvent): Promise<void> {
  const { label, isDeleted, at } = event;
  await recordLabels(tx, session.id, [{ ...label, isDeleted }], new Date(at));
  if (isDeleted) await takeOffDeleted(tx, session.id, label.id);
}

/** Applies that a label was put on a chat or taken off it. Safe to repeat. */
export async function applyChatLabel(tx: Tx, session: EventSession, event: NetworkChatLabelEvent): Promise<void> {
  const { agencyId, tenantId, id: sessionId } = session;
  const { chatId, label, at } = event;
  const place = { agencyId, tenantId, sessionId, chatId };
  if (label && event.isSet) await recordLabels(tx, sessionId, [label], new Date(at));
  if (await recordChatLabel(tx, place, event, new Date(at)))
    await tellLabels(tx, place, event.isSet ? [event.labelId] : []);
}
