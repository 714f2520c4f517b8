import { randomUUID } from 'node:crypto';
import type { CallsOf } from '../../adapters/backend/backends.ts';
import { ACTION_TIMEOUT_MS } from '../../adapters/backend/calls/message-actions.ts';
import type { ActionOutcome, NamedMessage } from '../../adapters/backend/calls/message-actions.ts';
import { editIds } from '../../adapters/backend/events/changes/edit.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import { applyChange } from '../../db/network/changes/change.ts';
import { endAction, freeAction, returnAction } from '../../db/sending/actions/end-action.ts';
import type { ActionEnd } from '../../db/sending/actions/end-action.ts';
import { findNextAction, takeAction } from '../../db/sending/actions/take-action.ts';
import type { NextAction } from '../../db/sending/actions/take-action.ts';
import { askForSessionLook } from '../../db/sessions/session-look.ts';
import type { MessageChange } from '../../domain/network/message-change.ts';
import type { ActionReason } from '../../domain/sending/message-action.ts';
import { WORKING } from '../../domain/sessions/session.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { beating } from '../heartbeat.ts';

/** The progress of the actions on a message. */
export type Acted =
  /** Nothing is left to be done to the message. */
  | { state: 'nothing' }
  | { state: 'ended'; kind: string; status: string; reason: string | null }
  /** Nothing can be done now; it is looked at again after that time, or when somebody hints that it can. */
  | { state: 'waits'; reason: string; forMs: number };

interface ActionDependencies extends Pick<ActivityDependencies, 'database' | 'limits'> {
  backends: CallsOf<'editMessage' | 'revokeMessage' | 'reactTo'> & Pick<ActivityDependencies['backends'], 'knows'>;
}

const SLOT_WAIT_MS = 20_000;
/** Longer than a call, so that the calls of two attempts never cross. */
const LEASE_MS = ACTION_TIMEOUT_MS + 15_000;
/** The session's return, and the dashboard's, are hinted at, so these looks are for a hint that was lost. */
const HELD_MS = 10 * 60_000;
const AWAY_MS = 20_000;
/** The pauses after answers that were lost; then nobody can say any more whether it was done. */
const LOST_PAUSES_MS = [2_000, 15_000, 45_000, 90_000];

/** Creates the activity that does what is asked to be done to messages that the network has. */
export function createMessageActionActivities({ database, backends, limits }: ActionDependencies) {
  /**
   * Does the oldest thing that is asked to be done to a message: an edit, a deletion for everyone, a reaction. Safe to
   * repeat: each says what the message shall be, so a second call with the same words changes nothing more; a lease
   * keeps an attempt that was lost from calling after a later action.
   * Rows: message_action, message, message_version, message_response, conversation, event, delivery.
   */
  async function actOnMessage({ messageId }: { messageId: string }): Promise<Acted> {
    const next = await database.read((queries) => findNextAction(queries, messageId));
    if (!next) return { state: 'nothing' };
    const end = endWithoutCall(next);
    if (end) return ended(next, end);
    if (next.takenForMs > 0) return { state: 'waits', reason: 'another attempt has it', forMs: next.takenForMs };
    const held = heldBy(next);
    if (held !== null) return { state: 'waits', reason: held, forMs: HELD_MS };
    return beating(() => inASlot(next));
  }

  function heldBy(next: NextAction): string | null {
    if (!backends.knows(next)) return "the engine's configuration lacks the backend of its session";
    if (next.isSuspended) return 'suspended';
    return next.sessionStatus === WORKING ? null : 'session_not_working';
  }

  async function inASlot(next: NextAction): Promise<Acted> {
    const { sessionId, agencyId } = next;
    const giveBack = await limits.of(next).acquire(sessionId, SLOT_WAIT_MS, { agencyId });
    if (!giveBack) return { state: 'waits', reason: 'the session has enough sends in flight', forMs: 1_000 };
    try {
      const token = randomUUID();
      const taken = await database.statement((tx) => takeAction(tx, next.id, { token, forMs: LEASE_MS }));
      if (!taken) return { state: 'waits', reason: 'another attempt has it', forMs: 1_000 };
      return await record(next, token, await callBackend(next));
    } finally {
      giveBack();
    }
  }

  function callBackend(next: NextAction): Promise<ActionOutcome> {
    const { kind, value, networkId, fromMe, chatId, participant, sessionName } = next;
    const calls = backends.of({ backend: next.backend, name: sessionName });
    const message: NamedMessage = { session: sessionName, chatId, networkId, fromMe, participant };
    switch (kind) {
      case 'edit':
        return calls.editMessage(message, value ?? '');
      case 'revoke':
        return calls.revokeMessage(message);
      case 'reaction':
        return calls.reactTo(message, value ?? '');
    }
  }

  async function record(next: NextAction, token: string, outcome: ActionOutcome): Promise<Acted> {
    switch (outcome.outcome) {
      case 'accepted':
        return ended(next, { status: 'done', reason: null, token }, outcome.networkId);
      case 'restricted':
        return ended(next, { status: 'failed', reason: 'restricted', detail: outcome.detail, token });
      case 'not_sent': {
        const { retry, detail, reason } = outcome;
        if (retry === 'never') {
          const why = detail === 'not_implemented' ? 'not_supported_by_engine' : 'backend_refused';
          return ended(next, { status: 'failed', reason: why, detail, token });
        }
        await database.transaction(async (tx) => {
          await returnAction(tx, next.id, token);
          if (retry === 'when_working') await askForSessionLook(tx, next.sessionId);
        });
        return { state: 'waits', reason, forMs: AWAY_MS };
      }
      case 'unknown': {
        const pauseMs = LOST_PAUSES_MS[next.attempts];
        if (pauseMs === undefined) {
          return ended(next, { status: 'uncertain', reason: 'outcome_unknown', detail: outcome.detail, token });
        }
        await database.statement((tx) => freeAction(tx, next.id, token));
        return { state: 'waits', reason: 'the answer was lost', forMs: pauseMs };
      }
    }
  }

  /** Ends the action; what the network has taken shows at the message in the same transaction. */
  async function ended(next: NextAction, end: ActionEnd, ownId: string | null = null): Promise<Acted> {
    await database.transaction(async (tx) => {
      await lockConversation(tx, next.conversationId);
      if (!(await endAction(tx, next.id, end)) || end.status !== 'done' || end.reason === 'shown_by_network') return;
      await applyChange(tx, next.sessionId, { change: changeOf(next, ownId, tx.now), tells: true });
    });
    return { state: 'ended', kind: next.kind, status: end.status, reason: end.reason };
  }

  return { actOnMessage };
}

export type MessageActionActivities = ReturnType<typeof createMessageActionActivities>;

/** Tells whether the action has come to its end without another call. */
function endWithoutCall(next: NextAction): ActionEnd | null {
  const failed = (reason: ActionReason): ActionEnd => ({ status: 'failed', reason });
  if (next.attempts > 0 && isShown(next)) return { status: 'done', reason: 'shown_by_network' };
  if (next.isRevoked) {
    return next.kind === 'revoke' ? { status: 'done', reason: 'shown_by_network' } : failed('message_revoked');
  }
  if (next.isSessionGone) return failed('session_deleted');
  if (!next.isOver) return null;
  return next.attempts > 0 ? { status: 'uncertain', reason: 'outcome_unknown' } : failed('too_late');
}

/** True when the network has shown, since it was asked for, what the action is to bring about. */
function isShown({ kind, value, createdAt, body, editedAt, isRevoked, reaction, reactedAt }: NextAction): boolean {
  // The network tells whole seconds.
  const since = Math.floor(createdAt.getTime() / 1_000) * 1_000;
  if (kind === 'revoke') return isRevoked;
  if (kind === 'edit') return editedAt !== null && editedAt.getTime() >= since && body === value;
  return reactedAt !== null && reactedAt.getTime() >= since && (reaction ?? '') === value;
}

/**
 * Says the action as the network's own report of it would, so that the report, which comes before or after, changes
 * nothing more. Its time is in whole seconds as the report's is: what somebody does on the phone in the same second is
 * told later, and holds.
 */
function changeOf({ kind, value, networkId }: NextAction, ownId: string | null, now: Date): MessageChange {
  const toldAt = now.getTime();
  const at = Math.floor(toldAt / 1_000) * 1_000;
  const by = { fromMe: true, chatId: null, participant: null, aliases: [] };
  const change = { key: `own:${kind}`, networkId, by, at, toldAt };
  switch (kind) {
    case 'edit': {
      const body = value ?? '';
      return { ...change, kind: 'edited', ...editIds(ownId === networkId ? null : ownId, body), body };
    }
    case 'revoke':
      return { ...change, kind: 'revoked' };
    case 'reaction':
      return { ...change, kind: 'reaction', emoji: value ?? '' };
  }
}
