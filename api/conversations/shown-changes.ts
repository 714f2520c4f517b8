import { ACCOUNT, CONTACT, UNKNOWN } from '../../domain/network/responder.ts';
import type { ShownChanges } from '../../domain/sending/shown-changes.ts';
import type { Votes } from '../../domain/sending/shown-content.ts';
import type { MessageChanges, Response } from '../../db/conversations/inbox/message-changes.ts';
import type { Message } from '../../db/conversations/message.ts';
import { isoOrNull } from '../wire/iso-time.ts';
import { endOf } from '../../domain/network/ends.ts';
import type { Ends } from '../../domain/network/ends.ts';

/** Shows what became of a message. For a revoked message it shows only the revocation. */
export function shownChanges(
  { editedAt, revokedAt, revokedBy }: Message,
  changes: MessageChanges | undefined,
  ends: Ends,
): ShownChanges {
  if (revokedAt) return { revokedAt: revokedAt.toISOString(), ...(revokedBy ? { revokedBy } : {}) };
  const reactions = (changes?.responses ?? []).flatMap((response) => {
    const [emoji] = response.kind === 'reaction' ? (response.value ?? []) : [];
    return emoji === undefined ? [] : [{ emoji, ...whoOf(response, ends), at: response.at.toISOString() }];
  });
  const versions = (changes?.versions ?? []).map(({ body, at }) => ({ body, at: at.toISOString() }));
  const at = isoOrNull(editedAt);
  return {
    ...(at === null ? {} : { edited: { at, versions } }),
    ...(reactions.length === 0 ? {} : { reactions }),
    ...(changes?.more.reaction ? { moreReactions: changes.more.reaction } : {}),
  };
}

export function shownVotes({ responses, more, tally }: MessageChanges, ends: Ends): Votes {
  const votes = responses
    .filter(({ kind }) => kind === 'vote')
    .map((vote) => ({ ...whoOf(vote, ends), options: vote.value, at: vote.at.toISOString() }));
  return { votes, more: more.vote, tally };
}

function whoOf(
  { responder, contactId }: Response,
  { other, phones }: Ends,
): Pick<Votes['votes'][number], 'fromMe' | 'from' | 'contactId'> {
  switch (responder) {
    case ACCOUNT:
      return { fromMe: true, from: null, contactId: null };
    case CONTACT:
      return { fromMe: false, from: other, contactId };
    case UNKNOWN:
      return { fromMe: false, from: null, contactId: null };
    default:
      return { fromMe: false, from: endOf(responder, phones), contactId };
  }
}
