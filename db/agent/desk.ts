import { z } from 'zod';
import { RESERVATION_MS, STEP_DOWN_AT } from '../../domain/agent/budget.ts';
import type { Budgets } from '../../domain/agent/budget.ts';
import { LOOP_LOOKS_BACK } from '../../domain/agent/loop.ts';
import { StoredPersona } from '../../domain/agent/sales-agent.ts';
import {
  ADOPT_AFTER_MS,
  DUPLICATE_CHARACTERS,
  DUPLICATE_WITHIN_MS,
  PHONE_IS_LIVE_MS,
} from '../../domain/agent/turn.ts';
import { jsonParameter } from '../engine/json-parameter.ts';
import { one, run } from '../engine/rows.ts';
import type { Queries, Tx } from '../engine/tx.ts';
import { PhoneFacts, phoneWaitOf } from '../sending/phone-wait.ts';
import { TURN_KEYS, turnToInsert } from './turn.ts';
import type { Batch, NewTurn } from './turn.ts';
import { BudgetFacts } from './usage.ts';

const OwedRow = z.object({
  id: z.string(),
  kind: z.string(),
  body: z.string(),
  /** The contact has deleted the message for everybody. */
  isRevoked: z.boolean(),
  /** It was fetched, because the backend has not told of it. */
  isRecovered: z.boolean(),
  at: z.string(),
  receivedAt: z.string(),
  occurredMs: z.number(),
  receivedMs: z.number(),
  /** Since when the agent owes the answer: the receipt, or the request to answer again. */
  owedFromMs: z.number(),
  /** The contact sent this very text shortly before, and a turn answered it. */
  isRepeated: z.boolean(),
  /** The earlier turn about this message that no model answered, and when a model is asked again. */
  retry: z.object({ turnId: z.string(), atMs: z.number() }).nullable(),
});
/** An inbound message that is owed a turn; times in milliseconds, `at` and `receivedAt` as PostgreSQL writes them. */
export type OwedMessage = z.output<typeof OwedRow>;

/** A message of the conversation, as `isLoop` of `domain/agent/loop.ts` takes it. */
const SaidRow = z.object({ by: z.enum(['contact', 'agent', 'person']), text: z.string(), atMs: z.number() });

/** Is in place of a persona that cannot be read. */
const UNREADABLE: z.output<typeof StoredPersona> = { active: false };

const Desk = z.object({
  conversationId: z.string(),
  agencyId: z.string(),
  tenantId: z.string(),
  sessionId: z.string(),
  backend: z.string(),
  sessionName: z.string(),
  chatId: z.string(),
  contactId: z.string().nullable(),
  /** The epochs of the conversation and of its tenant's agent. */
  epoch: z.int(),
  tenantEpoch: z.int(),
  /** The contact is known by a hidden id alone. */
  isHidden: z.boolean(),
  /** The turn that the workflow is at was given up for newer messages. */
  wasGivenUp: z.boolean(),
  /** The reason why the agent is silent, whatever the contact writes; null where it may speak. */
  silence: z.enum(['group', 'human', 'paused', 'automation']).nullable(),
  /** True while the agency is suspended: what is owed stays owed until it goes on. */
  isSuspended: z.boolean(),
  /** The end of the agency's last suspension. */
  activatedAtMs: z.number().nullable(),
  /** One that cannot be read silences the agent, because it might hold a rule that the agent would break. */
  persona: StoredPersona.nullable().catch(UNREADABLE),
  timeZone: z.string(),
  /** A run of an automation that has just begun may yet say something, or ask. */
  isRunAtWork: z.boolean(),
  typingAtMs: z.number().nullable(),
  typingUntilMs: z.number().nullable(),
  running: z
    .object({
      id: z.string(),
      messageIds: z.array(z.string()),
      restarts: z.int(),
      firstStartedMs: z.number(),
    })
    .nullable(),
  /** The restarts of the previous turn if it was given up for newer messages; else null. */
  givenUpRestarts: z.int().nullable(),
  /** The messages that are owed a turn, oldest first. */
  owed: z.array(OwedRow),
  /** The last messages of both sides, in the order of time. */
  said: z.array(SaidRow),
  /** Null while the agent is silent, because then it has nothing to wait for. */
  phone: PhoneFacts.nullable(),
  /** The used part of the persona's budgets. */
  budget: BudgetFacts,
});
const DeskRow = z.object({ desk: Desk.nullable() });

/** The state of a conversation that decides whether and when the agent answers. */
export interface AgentDesk extends z.output<typeof Desk> {
  /**
   * The milliseconds until it may be known whether a person has written on the phone; null when nothing suggests it.
   */
  phoneWaitMs: number | null;
}

/** One turn takes at most this many messages, more than a contact writes at once; the rest belong to the next turn. */
export const MAX_OWED = 200;

const deskJson = jsonParameter(
  {
    conversationId: true,
    running: true,
    budgets: { maxTokensPerDay: true, maxTokensPerContactPerDay: true, maxRepliesPerContactPerHour: true },
    now: true,
    maxOwed: true,
    duplicateLength: true,
    duplicateWithinMs: true,
    looksBack: true,
    phoneLiveMs: true,
    adoptAfterMs: true,
    stepDownAt: true,
    reservationMs: true,
  },
  'agent_desk.p',
);

/**
 * Reads the desk of a conversation (`desk.sql`) and locks nothing; {@link stepTurns} looks again whether it still
 * holds. `running` is the turn that the workflow is at, and `budgets` are those of a persona that has set none.
 */
export async function readAgentDesk(
  queries: Queries,
  conversationId: string,
  { running, budgets }: { running: string | null; budgets: Budgets },
): Promise<AgentDesk | null> {
  const asked = {
    conversationId,
    running,
    budgets,
    now: queries.now,
    maxOwed: MAX_OWED,
    duplicateLength: DUPLICATE_CHARACTERS,
    duplicateWithinMs: DUPLICATE_WITHIN_MS,
    looksBack: LOOP_LOOKS_BACK,
    phoneLiveMs: PHONE_IS_LIVE_MS,
    adoptAfterMs: ADOPT_AFTER_MS,
    stepDownAt: STEP_DOWN_AT,
    reservationMs: RESERVATION_MS,
  };
  const { desk: found } = await one(queries, DeskRow)`select agent_desk(${deskJson(asked)}::jsonb) as desk`;
  const isMute = found?.persona === UNREADABLE && found.silence === null;
  const desk = isMute ? { ...found, silence: 'paused' as const } : found;
  return desk && { ...desk, phoneWaitMs: desk.phone && (await phoneWaitOf(queries, desk, desk.phone)) };
}

/** The decision about a desk. */
export interface TurnSteps {
  /** True when running turns but the workflow's own were left by a workflow that is gone. */
  abandons: boolean;
  /** The workflow's own turn, if it still runs. */
  current: string | null;
  /** True when that turn is given up for newer messages. */
  givesUp: boolean;
  /** The turns that begin, or only record a silence. */
  turns: readonly { id: string; batch: Batch; turn: NewTurn }[];
}

const SteppedRow = z.object({ done: z.boolean() });

const stepJson = jsonParameter(
  {
    conversationId: true,
    now: true,
    seen: {
      epoch: true,
      tenantEpoch: true,
      silence: true,
      isSuspended: true,
      running: true,
      maxOwed: true,
      owedIds: true,
    },
    abandons: true,
    except: true,
    givesUp: true,
    turns: TURN_KEYS,
  },
  'step_turns.p',
);

/** Does what was decided, under the conversation's lock; false when the desk has changed, and then nothing is done. */
export async function stepTurns(tx: Tx, desk: AgentDesk, steps: TurnSteps): Promise<boolean> {
  const { conversationId, epoch, tenantEpoch, silence, isSuspended, running } = desk;
  const owedIds = desk.owed.map(({ id, isRevoked }) => [id, isRevoked] as const);
  const step = {
    conversationId,
    now: tx.now,
    seen: {
      epoch,
      tenantEpoch,
      silence,
      isSuspended,
      running: running?.id ?? null,
      maxOwed: MAX_OWED,
      owedIds: owedIds.toSorted(([a], [b]) => (a < b ? -1 : 1)),
    },
    abandons: steps.abandons,
    except: steps.current,
    givesUp: steps.givesUp ? steps.current : null,
    turns: steps.turns.map(({ id, batch, turn }) => turnToInsert(id, batch, turn)),
  };
  return (await one(tx, SteppedRow)`select step_turns(${stepJson(step)}::jsonb) as done`).done;
}

export function batchOf(messages: readonly OwedMessage[]): Batch {
  const newest = messages.at(-1);
  const first = messages.reduce((a, b) => (b.receivedMs < a.receivedMs ? b : a), messages[0] ?? emptyBatch());
  if (!newest) return emptyBatch();
  return {
    messageIds: messages.map(({ id }) => id),
    messageId: newest.id,
    at: newest.at,
    receivedAt: first.receivedAt,
  };
}

function emptyBatch(): never {
  throw new Error('A turn is about messages.');
}

/** True when a turn of the conversation bears the note. */
export async function hasNote(queries: Queries, conversationId: string, note: string): Promise<boolean> {
  const count = await run(queries)`
    select 1 from ai_turn where conversation_id = ${conversationId} and ${note} = any(output_notes) limit 1`;
  return count > 0;
}
