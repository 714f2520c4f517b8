import type { Backend } from '../../backend/client.ts';
import { adoptOwnMessages } from '../../db/network/adopt-own-messages.ts';
import { learnPhone } from '../../db/network/hidden-id.ts';
import { batchOf, hasNote, MAX_OWED, readAgentDesk, wasJustAnswered } from '../../db/agent/desk.ts';
import type { AgentDesk, OwedMessage } from '../../db/agent/desk.ts';
import { readBudget } from '../../db/agent/usage.ts';
import { lockConversation } from '../../db/conversations/conversation.ts';
import type { Database } from '../../db/database.ts';
import type { Tx } from '../../db/tx.ts';
import { handOver } from '../../db/agent/handover.ts';
import { abandonTurns, endTurn, wasGivenUp } from '../../db/agent/turn-end.ts';
import { findTurnById, insertTurn } from '../../db/agent/turn.ts';
import { isLoop } from '../../domain/agent/loop.ts';
import { retryUntilMs } from '../../domain/agent/model-retry.ts';
import { defaultPersona } from '../../domain/agent/sales-agent.ts';
import type { Persona, SilenceCode } from '../../domain/agent/sales-agent.ts';
import {
  DUPLICATE_CHARACTERS,
  DUPLICATE_WITHIN_MS,
  MAX_RESTARTS,
  RESTARTS_WITHIN_MS,
  STALE_AFTER_MS,
} from '../../domain/agent/turn.ts';
import { closedPeriod } from '../../domain/agent/working-hours.ts';
import { spentConclusion } from './budget-spent.ts';
import { acceptTurnMessages, concludeTurn } from './conclude-turn.ts';
import { handedOver } from './model-failed.ts';
import type { Models } from '../models/models.ts';
import type { PresenceWatch } from './presence-watch.ts';

/** Says what the workflow does next. */
export type TurnStep =
  /** Every owed message has its turn. With `more`, that holds only for the messages that were looked at. */
  | { state: 'none'; more?: true }
  /**
   * The turn must wait: the contact is still writing, somebody may be writing on the phone, or a model is asked again
   * later.
   */
  | { state: 'wait'; waitMs: number; gaveUp: string | null; retries?: ModelRetry }
  | { state: 'begun'; turnId: string; gaveUp: string | null; more?: true }
  /** The running turn goes out first, because no message is newer or the turn has been begun again often enough. */
  | { state: 'busy' };

/** The turn that no model answered, and until when (ISO 8601) a model may be asked again about its messages. */
export interface ModelRetry {
  turnId: string;
  until: string;
}

export interface BeginTurn {
  conversationId: string;
  /** The turn that the workflow works on. Any other running turn was left by a workflow that is gone. */
  running: string | null;
  /** How often the workflow has already waited for the contact to finish these messages. */
  waits?: number;
}

/**
 * After this many waits the workflow looks less often whether the contact still writes, because each look costs six
 * events of Temporal.
 */
const EXACT_WAITS = 2;
const LONG_WAIT_IN_QUIET_PERIODS = 4;

/**
 * The agent looks this often for who wrote a message on the phone. The answer may come at any time, but takes minutes
 * while a send hangs, so later looks are rarer.
 */
const PHONE_LOOK_MS = 5_000;
const LONG_PHONE_LOOK_MS = 20_000;

const OUT_OF_HOURS = 'out_of_hours';

export function createBeginTurn(
  {
    database,
    models,
    backend,
  }: {
    database: Database;
    models: Pick<Models, 'defaultId' | 'fallbackOf'>;
    backend: Pick<Backend, 'findPhone'>;
  },
  presence: PresenceWatch,
) {
  /**
   * Looks for owed messages. Begins a turn for them when the contact has finished writing, or records why the agent
   * stays silent. Safe to repeat: a turn that a lost attempt began is removed and begun again.
   * Rows: ai_turn, conversation, handover.
   */
  return async function beginTurn({ conversationId, running, waits = 0 }: BeginTurn): Promise<TurnStep> {
    // A contact known by a hidden id may also have a conversation under a phone number, which a person has taken over.
    await learnPhone(database, backend.findPhone, conversationId);
    const { step, desk } = await database.transaction(async (tx) => {
      const desk = await readAgentDesk(tx, await lockConversation(tx, conversationId));
      return { desk, step: desk === null ? ({ state: 'none' } as const) : await decide(tx, desk, running, waits) };
    });
    if (desk && step.state === 'wait') {
      presence.watch({ session: desk.sessionName, chatId: desk.chatId });
      // Other processes that adopt may be down or busy, so this one does it too; adoptOwnMessages records a failure in
      // the row.
      if (desk.phoneWaitMs !== null)
        await adoptOwnMessages(database, backend.findPhone, { conversationId: desk.conversationId });
    }
    return step;
  };

  async function decide(tx: Tx, desk: AgentDesk, running: string | null, waits: number): Promise<TurnStep> {
    const persona = { ...defaultPersona(models.defaultId), ...desk.persona };
    if (desk.running) await abandonTurns(tx, desk.conversationId, running);
    const current = desk.running?.id === running ? desk.running : null;
    if (current && !mayRestart(tx, desk, current)) return { state: 'busy' };
    if (current) await endTurn(tx, current.id, { outcome: 'silence', code: 'newer_message' });
    // An earlier attempt of this look may have given the turn up, and then its answer was lost.
    const gaveUp = current?.id ?? (running !== null && (await wasGivenUp(tx, running)) ? running : null);
    const more = desk.owed.length < MAX_OWED ? {} : ({ more: true } as const);
    const restarts = current ? current.restarts + 1 : desk.givenUpRestarts === null ? 0 : desk.givenUpRestarts + 1;

    const { silence } = desk;
    const retry = silence === null ? retryOf(desk, persona, tx.now) : null;
    const owed: Ages = silence === null ? byAge(desk.owed, tx.now, retry) : { [silence]: desk.owed, fresh: [] };
    const { fresh, ...unanswered } = owed;
    for (const code of ['group', 'human', 'paused', 'revoked', 'stale'] as const) {
      const messages = unanswered[code] ?? [];
      if (messages.length > 0)
        await insertTurn(tx, desk.conversationId, batchOf(messages), { silence: code, restarts });
    }
    if (fresh.length === 0) return { state: 'none', ...more };
    const still = retry?.isOver === true ? 0 : waitFor(desk, fresh, persona, { nowMs: tx.now.getTime(), waits });
    const lookMs = waits < EXACT_WAITS ? Math.min(desk.phoneWaitMs ?? 0, PHONE_LOOK_MS) : LONG_PHONE_LOOK_MS;
    const phoneMs = desk.phoneWaitMs === null ? 0 : Math.ceil(lookMs);
    const waitMs = Math.max(still, phoneMs, retry?.waitMs ?? 0);
    if (waitMs > 0) return { state: 'wait', waitMs, gaveUp, ...(retry ? { retries: retry.shown } : {}) };

    const batch = batchOf(fresh);
    if (retry?.isOver === true) {
      const turn = await findTurnById(tx, await insertTurn(tx, desk.conversationId, batch, { restarts }));
      if (turn) await concludeTurn(tx, turn, await handedOver(tx, turn, persona), null);
      return { state: 'none', ...more };
    }
    const guarded = await guard(tx, desk, persona, fresh);
    if (guarded !== null && guarded !== 'step_down') {
      await staySilent(tx, desk, persona, await insertTurn(tx, desk.conversationId, batch, { restarts }), guarded);
      return { state: 'none', ...more };
    }
    const model = (guarded === 'step_down' ? models.fallbackOf(persona.modelChoice) : null) ?? persona.modelChoice;
    const turnId = await insertTurn(tx, desk.conversationId, batch, { model, restarts });
    return { state: 'begun', turnId, gaveUp, ...more };
  }
}

function mayRestart(tx: Tx, desk: AgentDesk, current: NonNullable<AgentDesk['running']>): boolean {
  const covered = new Set(current.messageIds);
  return (
    desk.owed.some(({ id }) => !covered.has(id)) &&
    current.restarts < MAX_RESTARTS &&
    tx.now.getTime() - current.firstStartedMs < RESTARTS_WITHIN_MS
  );
}

type Ages = { fresh: OwedMessage[] } & { [code in SilenceCode]?: OwedMessage[] };

interface Retry {
  /** No model came back in time, or the shop has closed, so a person gets the conversation. */
  isOver: boolean;
  /** How long to wait until a model is asked again. */
  waitMs: number;
  shown: ModelRetry;
}

/** Returns the retry of the messages that are still owed because no model answered, or null when there are none. */
function retryOf(desk: AgentDesk, persona: Persona, now: Date): Retry | null {
  const nowMs = now.getTime();
  const retried = desk.owed.filter(({ isRevoked, retry }) => retry !== null && !isRevoked);
  const last = retried
    .flatMap(({ retry }) => retry ?? [])
    .toSorted((a, b) => a.atMs - b.atMs)
    .at(-1);
  if (!last) return null;
  const untilMs = Math.min(
    ...retried.map(({ receivedMs, occurredMs }) =>
      Math.min(retryUntilMs(receivedMs, persona), occurredMs + STALE_AFTER_MS),
    ),
  );
  const isOver = untilMs <= nowMs || closedPeriod(persona.workingHours, desk.timeZone, now) !== null;
  const waitMs = isOver ? 0 : Math.max(0, Math.ceil(Math.min(last.atMs, untilMs) - nowMs));
  return { isOver, waitMs, shown: { turnId: last.turnId, until: new Date(untilMs).toISOString() } };
}

/**
 * Sorts owed messages by age: a message that was taken back or is too old is not answered. Messages that go to a person
 * because no model answered may be of any age.
 */
function byAge(owed: readonly OwedMessage[], now: Date, retry: Retry | null): Ages {
  const since = retry?.isOver === true ? -Infinity : now.getTime() - STALE_AFTER_MS;
  const standing = owed.filter(({ isRevoked }) => !isRevoked);
  return {
    revoked: owed.filter(({ isRevoked }) => isRevoked),
    stale: standing.filter(({ occurredMs }) => occurredMs < since),
    fresh: standing.filter(({ occurredMs }) => occurredMs >= since),
  };
}

/**
 * Returns how long to wait until the contact has been still for the quiet period, at most until the cap; typing counts
 * as writing. During a long wait nobody looks, so a quiet period that passed within it counts as well.
 */
function waitFor(
  desk: AgentDesk,
  owed: readonly OwedMessage[],
  persona: Persona,
  { nowMs, waits }: { nowMs: number; waits: number },
): number {
  const received = owed.map(({ receivedMs }) => receivedMs).toSorted((a, b) => a - b);
  const lastWrote = Math.max(...received);
  const isTyping = desk.typingAtMs !== null && desk.typingAtMs > lastWrote;
  const still = isTyping ? Math.max(lastWrote, Math.min(desk.typingUntilMs ?? 0, nowMs)) : lastWrote;
  const cap = Math.min(...received) + persona.maxWaitMs;
  const until = Math.min(still + persona.quietPeriodMs, cap);
  if (until <= nowMs) return 0;
  if (waits < EXACT_WAITS) return Math.ceil(until - nowMs);
  if (received.some((at, place) => at - (received[place - 1] ?? at) >= persona.quietPeriodMs)) return 0;
  return Math.ceil(Math.min(cap, nowMs + LONG_WAIT_IN_QUIET_PERIODS * persona.quietPeriodMs) - nowMs);
}

async function guard(
  tx: Tx,
  desk: AgentDesk,
  persona: Persona,
  owed: readonly OwedMessage[],
): Promise<SilenceCode | 'step_down' | null> {
  if (closedPeriod(persona.workingHours, desk.timeZone, tx.now) !== null) return 'hours';
  if (isLoop(desk.said, tx.now.getTime())) return 'loop';
  if (await isRepetition(tx, desk, owed)) return 'duplicate';
  const budget = await readBudget(tx, desk, persona);
  if (budget === 'spent') return 'budget';
  return budget === 'step_down' ? 'step_down' : null;
}

async function isRepetition(tx: Tx, desk: AgentDesk, owed: readonly OwedMessage[]): Promise<boolean> {
  for (const message of owed) {
    if (message.kind !== 'text' || message.body.trim().length < DUPLICATE_CHARACTERS) return false;
    if (!(await wasJustAnswered(tx, desk.conversationId, message, DUPLICATE_WITHIN_MS))) return false;
  }
  return true;
}

/**
 * Ends the turn in silence, except that a persona may speak outside its hours or once its budget is used up. After a
 * loop a person gets the conversation and sees that a program writes on the other side.
 */
async function staySilent(tx: Tx, desk: AgentDesk, persona: Persona, turnId: string, code: SilenceCode): Promise<void> {
  const scope = { agencyId: desk.agencyId, tenantId: desk.tenantId, sessionId: null };
  if (code === 'loop') {
    await endTurn(tx, turnId, { outcome: 'silence', code });
    const to = { mode: 'human_takeover', cause: 'agent', reason: 'loop' } as const;
    await handOver(tx, scope, desk.conversationId, to);
    return;
  }
  if (code === 'budget') {
    const turn = await findTurnById(tx, turnId);
    if (turn) await concludeTurn(tx, turn, await spentConclusion(tx, turn, persona), null);
    return;
  }
  const closed = code === 'hours' ? closedPeriod(persona.workingHours, desk.timeZone, tx.now) : null;
  const note = `${OUT_OF_HOURS}:${closed}`;
  const speaks = closed !== null && persona.outOfHoursMessage.trim() !== '';
  if (!speaks || (await hasNote(tx, desk.conversationId, note))) {
    await endTurn(tx, turnId, { outcome: 'silence', code });
    return;
  }
  const turn = await findTurnById(tx, turnId);
  const messageIds = (turn && (await acceptTurnMessages(tx, turn, [persona.outOfHoursMessage]))) ?? [];
  await endTurn(tx, turnId, { outcome: 'reply', messageIds, notes: [note], silence: code });
}
