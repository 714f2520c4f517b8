import { z } from 'zod';
import { MAX_EMOJI_LENGTH } from '../../../../domain/network/message-change.ts';
import type { MessageChange } from '../../../../domain/network/message-change.ts';
import type { OwnAddresses } from '../../../../domain/network/network-event.ts';
import { eventKeys } from '../event-keys.ts';
import { addressOf, parseMessageId } from '../message-id.ts';
import type { MessageId } from '../message-id.ts';
import { toNetworkMessage } from '../message.ts';
import { RawMessage } from '../raw-message.ts';
import { Address, Flag, pastMilliseconds, pastSeconds } from '../raw.ts';
import { senderOf } from '../sender.ts';
import { hasFact } from '../spelling/read.ts';
import { editIds } from './edit.ts';

/** Nobody shows more people under one message; a list must not make work without end. */
const MAX_REACTIONS = 1_024;

/**
 * Reads what a list shows was done to a message since it was said (`docs/extend/backend.md#events`, 12): that it was
 * taken back, its last edit, and the reactions to it. Some engines show less: what they do not show stays unknown.
 */
export function shownChanges(listed: unknown, me: OwnAddresses): MessageChange[] {
  const parsed = RawMessage.safeParse(listed);
  const id = parsed.success ? parseMessageId(parsed.data.id) : null;
  if (!parsed.success || id === null) return [];
  const raw = parsed.data;
  if (isTakenBack(raw)) {
    return [{ kind: 'revoked', key: eventKeys.revoked(id), networkId: id.networkId, ...whoAndWhen(raw, id, me) }];
  }
  const edit = editOf(raw, id, { body: toNetworkMessage(listed)?.body ?? '', me });
  const reactions = (raw._data?.reactions ?? []).slice(0, MAX_REACTIONS).flatMap((each) => reactionOf(id, each, me));
  return edit === null ? reactions : [edit, ...reactions];
}

/** NOWEB keeps the stub of a message that was taken back, under its number or its name; WEBJS gives it a type. */
function isTakenBack({ _data: data }: RawMessage): boolean {
  const stub = data?.messageStubType;
  return stub === 1 || stub === 'REVOKE' || data?.type === 'revoked';
}

/** Whoever took it back, or edited it, a list does not say; as a rule it was who wrote it. */
function whoAndWhen(raw: RawMessage, id: MessageId, me: OwnAddresses) {
  const at = pastSeconds(raw.timestamp ?? 0) * 1_000;
  return { by: senderOf(raw, id, me), at, toldAt: at };
}

function editOf(
  raw: RawMessage,
  id: MessageId,
  { body, me }: { body: string; me: OwnAddresses },
): MessageChange | null {
  const { latestEditMsgKey, latestEditSenderTimestampMs } = raw._data ?? {};
  if (!hasFact(raw, 'edited') || body === '') return null;
  const { networkId } = id;
  const { by, at: listedAt } = whoAndWhen(raw, id, me);
  const at = pastMilliseconds(latestEditSenderTimestampMs ?? listedAt);
  const ids = editIds(latestEditMsgKey?.id ?? null, body);
  const key = eventKeys.edited({ networkId, ...ids });
  return { kind: 'edited', key, networkId, by, at, toldAt: at, ...ids, body };
}

type RawReaction = NonNullable<NonNullable<RawMessage['_data']>['reactions']>[number];

const ReactionKey = z.object({ id: z.string().regex(/^[!-~]{1,128}$/), fromMe: Flag, participant: Address });

/** NOWEB keeps the last reaction of each person; an empty text is one that was taken away. */
function reactionOf(to: MessageId, reaction: RawReaction, me: OwnAddresses): MessageChange[] {
  const key = ReactionKey.safeParse(reaction?.key);
  if (!key.success || reaction === null || reaction.senderTimestampMs === null) return [];
  const { fromMe, participant } = key.data;
  const own: MessageId = {
    fromMe: fromMe === true,
    chatId: to.chatId,
    networkId: key.data.id,
    participant: addressOf(participant),
  };
  const toldAt = pastMilliseconds(reaction.senderTimestampMs);
  return [
    {
      kind: 'reaction',
      key: eventKeys.reaction(own),
      networkId: to.networkId,
      by: senderOf(RawMessage.parse({ participant, _data: { key: reaction.key } }), own, me),
      // An event tells the time of a reaction in seconds.
      at: Math.floor(toldAt / 1_000) * 1_000,
      toldAt,
      emoji: (reaction.text ?? '').slice(0, MAX_EMOJI_LENGTH).toWellFormed(),
    },
  ];
}
