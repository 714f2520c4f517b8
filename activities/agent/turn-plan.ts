import { batchOf, MAX_OWED } from '../../db/agent/desk.ts';
import type { AgentDesk, OwedMessage } from '../../db/agent/desk.ts';
import type { Batch, NewTurn } from '../../db/agent/turn.ts';
import { budgetOf } from '../../db/agent/usage.ts';
import { isLoop } from '../../domain/agent/loop.ts';
import { retryUntilMs } from '../../domain/agent/model-retry.ts';
import type { Persona, SilenceCode } from '../../domain/agent/sales-agent.ts';
import {
  answersWithinMs,
  DUPLICATE_CHARACTERS,
  MAX_RESTARTS,
  RESTARTS_WITHIN_MS,
  STALE_AFTER_MS,
} from '../../domain/agent/turn.ts';
import { closedPeriod } from '../../domain/agent/working-hours.ts';

/** The turn that no model answered, and until when (ISO 8601) a model may be asked again about its messages. */
export interface ModelRetry {
  turnId: string;
  until: string;
}

/** The result of a check of the unanswered messages. */
export type Next =
  /** No turn begins; the messages that were looked at have theirs. */
  | { kind: 'none' }
  /** The running turn goes out first. */
  | { kind: 'busy' }
  | { kind: 'wait'; waitMs: number; retries?: ModelRetry }
  /** A turn begins and its model is asked. */
  | { kind: 'begin'; turn: TurnToBegin }
  /** A turn begins and ends at once, without a model: a person gets the messages, or the agent stays silent. */
  | { kind: 'hand_over'; turn: TurnToBegin; why: 'model_failed' | 'agent_late' }
  | { kind: 'stay_silent'; turn: TurnToBegin; code: SilenceCode };

export interface TurnToBegin {
  batch: Batch;
  turn: NewTurn;
}

/** The next actions for a desk. */
export interface TurnPlan {
  /** The workflow's own turn, if it still runs. */
  current: string | null;
  /** True when running turns were left by a workflow that is gone. */
  abandons: boolean;
  /** True when the workflow's own turn begins again with newer messages. */
  givesUp: boolean;
  /** The turn that was given up now, or by an earlier attempt of this look whose answer was lost. */
  gaveUp: string | null;
  /** Messages that are not answered, by the reason. */
  silences: TurnToBegin[];
  /** True when more messages are owed than were looked at. */
  hasMore: boolean;
  next: Next;
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
/** A run of an automation says what it has to say within moments, unless its worker is away. */
const RUN_LOOK_MS = 1_000;

interface Looking {
  running: string | null;
  waits: number;
  now: Date;
  /** The model that answers once most of a budget is used. */
  fallback: string | null;
}

/** Decides what is done about the messages of a desk. It changes nothing and reads nothing but the desk. */
export function planTurn(desk: AgentDesk, persona: Persona, looking: Looking): TurnPlan {
  const { running, now } = looking;
  const current = desk.running !== null && desk.running.id === running ? desk.running : null;
  const plan: TurnPlan = {
    current: current?.id ?? null,
    abandons: desk.running !== null,
    givesUp: current !== null,
    gaveUp: current?.id ?? (desk.wasGivenUp ? running : null),
    silences: [],
    hasMore: desk.owed.length >= MAX_OWED,
    next: { kind: 'none' },
  };
  if (desk.isSuspended) return { ...plan, abandons: false, givesUp: false, hasMore: false };
  if (current && !mayRestart(desk, current, now)) return { ...plan, givesUp: false, next: { kind: 'busy' } };
  const restarts = current ? current.restarts + 1 : desk.givenUpRestarts === null ? 0 : desk.givenUpRestarts + 1;

  const { silence } = desk;
  const retry = silence === null ? retryOf(desk, persona, now) : null;
  const owed: Ages = silence === null ? byAge(desk.owed, { desk, retry }) : { [silence]: desk.owed, fresh: [] };
  const { fresh, ...unanswered } = owed;
  for (const code of ['group', 'human', 'paused', 'automation', 'revoked', 'stale'] as const) {
    const messages = unanswered[code] ?? [];
    if (messages.length > 0) plan.silences.push({ batch: batchOf(messages), turn: { silence: code, restarts } });
  }
  return { ...plan, next: nextFor(desk, persona, { ...looking, fresh, retry, restarts }) };
}

function nextFor(
  desk: AgentDesk,
  persona: Persona,
  {
    fresh,
    retry,
    restarts,
    waits,
    now,
    fallback,
  }: Looking & { fresh: OwedMessage[]; retry: Retry | null; restarts: number },
): Next {
  if (fresh.length === 0) return { kind: 'none' };
  const why = retry?.isOver === true ? 'model_failed' : isPastBound(retry, fresh, persona, now) ? 'agent_late' : null;
  const still = why !== null ? 0 : waitFor(desk, fresh, persona, { nowMs: now.getTime(), waits });
  const lookMs = waits < EXACT_WAITS ? Math.min(desk.phoneWaitMs ?? 0, PHONE_LOOK_MS) : LONG_PHONE_LOOK_MS;
  const phoneMs = desk.phoneWaitMs === null ? 0 : Math.ceil(lookMs);
  const waitMs = Math.max(still, phoneMs, why === null ? (retry?.waitMs ?? 0) : 0, desk.isRunAtWork ? RUN_LOOK_MS : 0);
  if (waitMs > 0) return { kind: 'wait', waitMs, ...(retry ? { retries: retry.shown } : {}) };

  const batch = batchOf(fresh);
  if (why !== null) return { kind: 'hand_over', turn: { batch, turn: { restarts } }, why };
  const guarded = guard(desk, persona, fresh, now);
  if (guarded !== null && guarded !== 'step_down')
    return { kind: 'stay_silent', turn: { batch, turn: { restarts } }, code: guarded };
  const model = (guarded === 'step_down' ? fallback : null) ?? persona.modelChoice;
  return { kind: 'begin', turn: { batch, turn: { model, restarts } } };
}

function mayRestart(desk: AgentDesk, current: NonNullable<AgentDesk['running']>, now: Date): boolean {
  const covered = new Set(current.messageIds);
  return (
    desk.owed.some(({ id }) => !covered.has(id)) &&
    current.restarts < MAX_RESTARTS &&
    now.getTime() - current.firstStartedMs < RESTARTS_WITHIN_MS
  );
}

type Ages = { fresh: OwedMessage[] } & { [code in SilenceCode]?: OwedMessage[] };

interface Retry {
  /** No model came back in time, or the shop has closed, so a person gets the conversation. */
  isOver: boolean;
  /** Time until the engine asks a model again. */
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
    ...retried.map((message) =>
      Math.min(retryUntilMs(message.receivedMs, persona), message.occurredMs + staleAfterMs(message, persona)),
    ),
  );
  const isOver = untilMs <= nowMs || closedPeriod(persona.workingHours, desk.timeZone, now) !== null;
  const waitMs = isOver ? 0 : Math.max(0, Math.ceil(Math.min(last.atMs, untilMs) - nowMs));
  return { isOver, waitMs, shown: { turnId: last.turnId, until: new Date(untilMs).toISOString() } };
}

/**
 * Sorts owed messages: one that was taken back, or that became old while the agency was suspended, is not answered.
 * `tell_agent` has left out those that arrived late. Messages that go to a person because no model answered may be of
 * any age.
 */
function byAge(owed: readonly OwedMessage[], { desk, retry }: { desk: AgentDesk; retry: Retry | null }): Ages {
  const { activatedAtMs } = desk;
  const isStale = ({ occurredMs, owedFromMs }: OwedMessage): boolean =>
    retry?.isOver !== true &&
    activatedAtMs !== null &&
    owedFromMs <= activatedAtMs &&
    activatedAtMs - occurredMs > STALE_AFTER_MS;
  const standing = owed.filter(({ isRevoked }) => !isRevoked);
  return {
    revoked: owed.filter(({ isRevoked }) => isRevoked),
    stale: standing.filter(isStale),
    fresh: standing.filter((message) => !isStale(message)),
  };
}

/**
 * True when the engine itself has delayed the answer for longer than the persona lets it. The first message counts, as
 * it has waited longest. Models that fail have a bound of their own.
 */
function isPastBound(retry: Retry | null, fresh: readonly OwedMessage[], persona: Persona, now: Date): boolean {
  const boundMs = answersWithinMs(persona);
  return retry === null && fresh.some(({ owedFromMs }) => now.getTime() - owedFromMs > boundMs);
}

/** The persona says how old a message may be that was missed and fetched later. */
function staleAfterMs({ isRecovered }: OwedMessage, { answerRecoveredWithinMinutes }: Persona): number {
  return isRecovered ? answerRecoveredWithinMinutes * 60_000 : STALE_AFTER_MS;
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

function guard(
  desk: AgentDesk,
  persona: Persona,
  owed: readonly OwedMessage[],
  now: Date,
): SilenceCode | 'step_down' | null {
  if (closedPeriod(persona.workingHours, desk.timeZone, now) !== null) return 'hours';
  if (isLoop(desk.said, now.getTime())) return 'loop';
  if (owed.every(isRepetition)) return 'duplicate';
  const budget = budgetOf(desk.budget);
  if (budget === 'spent') return 'budget';
  return budget === 'step_down' ? 'step_down' : null;
}

function isRepetition({ kind, body, isRepeated }: OwedMessage): boolean {
  return kind === 'text' && body.trim().length >= DUPLICATE_CHARACTERS && isRepeated;
}
