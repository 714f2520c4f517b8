import {
  findAcked,
  findReplySince,
  listRepliesSince,
  listOffered,
  readTexts,
  standingOf,
  waitStopOf,
} from '../../db/automations/execution.ts';
import type { ExecutionStanding } from '../../db/automations/execution.ts';
import { beginStep, endStep, hasAsked, noteWaiting } from '../../db/automations/steps.ts';
import type { Step } from '../../db/automations/steps.ts';
import type { Tx } from '../../db/engine/tx.ts';
import type { StopReason } from '../../domain/automations/execution.ts';
import { inStep } from './take-step.ts';
import { choiceOfReply } from '../../domain/automations/choice.ts';
import type { OfferedButton } from '../../domain/automations/choice.ts';
import { hasText } from '../../domain/automations/text-filter.ts';
import type { TextFilter } from '../../domain/automations/text-filter.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** The result of a check: the reply, or the time that it may still take. */
export type Looked = { stop: StopReason } | Seen;
interface Seen {
  stop: null;
  messageId: string | null;
  choice: string | null;
  leftMs: number;
  /** Until when it waits, as its row says (ISO 8601); looks of releases before did not tell it. */
  until?: string;
}

interface Wait extends Step {
  /** It goes on waiting after a person has taken the conversation over. */
  besidePeople: boolean;
  /** True when the time is over, by the clock of the workflow. */
  isOver: boolean;
}

interface Waiting extends Wait {
  forMs: number;
  waitsFor: 'reply' | 'ack' | 'time';
  /** The agent stays silent this long meanwhile, if the execution has asked something. */
  ownsForMs?: number;
}

/** A question that nobody answers for longer is not what the contact writes about. */
const OWNS_FOR_MS = 86_400_000;

/** A contact who writes more without the words that are waited for is read no further. */
const MAX_READ = 500;

/** Creates the activities by which automations wait. */
export function createWaitActivities({
  database,
  automations,
}: Pick<ActivityDependencies, 'database' | 'automations'>) {
  /**
   * Begins to wait for a reply, or looks whether one has come, and which of the choices it is. Safe to repeat: it counts
   * from the step's first beginning. Rows: automation_step, automation_execution, message.
   */
  async function lookForReply({
    timeoutMs,
    choices,
    ownsForMs = OWNS_FOR_MS,
    offered: known,
    ...wait
  }: Wait & {
    timeoutMs: number;
    choices: readonly string[];
    ownsForMs?: number;
    /** The words of the choices, where the caller knows them. */
    offered?: readonly OfferedButton[];
  }): Promise<Looked> {
    return look({ ...wait, forMs: timeoutMs, waitsFor: 'reply', ownsForMs }, async (tx, standing, since) => {
      const reply = standing.conversationId && (await findReplySince(tx, standing.conversationId, since));
      if (!reply) return null;
      const offered =
        known ?? (choices.length === 0 ? [] : await offeredBy(tx, standing.definition, { ...wait, choices }));
      return { messageId: reply.id, choice: choiceOfReply(choices, reply, offered) };
    });
  }

  /**
   * Waits until the contact writes one of these words, or looks whether one has come. Without filters each message
   * counts. Safe to repeat, as above. Rows: automation_step, automation_execution, message.
   */
  async function lookForWords({
    timeoutMs,
    filters,
    after = null,
    ...wait
  }: Wait & {
    timeoutMs: number;
    filters: readonly (TextFilter | undefined)[];
    /** A message that was heard before. The next one may be older than this step, if both came together. */
    after?: string | null;
  }): Promise<Looked> {
    return look({ ...wait, forMs: timeoutMs, waitsFor: 'reply' }, async (tx, standing, since) => {
      const { conversationId } = standing;
      const limit = MAX_READ;
      const said = conversationId === null ? [] : await listRepliesSince(tx, conversationId, { since, after, limit });
      const found = said.find(({ body }) => filters.length === 0 || filters.some((filter) => hasText(filter, body)));
      return found ? { messageId: found.id, choice: null } : null;
    });
  }

  /**
   * Waits until a message that the execution has sent has come so far, or looks whether it has. `choice` is how it stands
   * then. Safe to repeat, as above. Rows: automation_step, automation_execution, message.
   */
  async function lookForAck({
    timeoutMs,
    messageId,
    level,
    ...wait
  }: Wait & { timeoutMs: number; messageId: string; level: number }): Promise<Looked> {
    return look({ ...wait, forMs: timeoutMs, waitsFor: 'ack' }, async (tx, { agencyId, tenantId }) => {
      const status = await findAcked(tx, { agencyId, tenantId }, { messageId, level });
      return status === null ? null : { messageId, choice: status };
    });
  }

  /** Sleeps, or looks whether it has slept enough. Safe to repeat, as above. Rows: automation_step, automation_execution. */
  async function noteSleep({ forMs, ...wait }: Wait & { forMs: number }): Promise<Looked> {
    return look({ ...wait, forMs, waitsFor: 'time' }, () => Promise.resolve(null));
  }

  async function look(
    { forMs, waitsFor, ownsForMs = 0, isOver, besidePeople, ...step }: Waiting,
    find: (
      tx: Tx,
      standing: ExecutionStanding,
      since: Date,
    ) => Promise<{ messageId: string; choice: string | null } | null>,
  ): Promise<Looked> {
    return inStep(database, async (tx) => {
      const standing = await standingOf(tx, step.executionId);
      const stop = standing ? waitStopOf(standing, besidePeople) : 'requested';
      if (!standing || stop !== null) return { stop: stop ?? 'requested' };
      const begun = await beginStep(tx, step);
      const until = new Date(begun.startedAt.getTime() + forMs);
      const isSkipped = begun.detail['skipped'] === true;
      const leftMs = isOver || isSkipped ? 0 : until.getTime() - tx.now.getTime();
      const found = (await find(tx, standing, begun.startedAt)) ?? { messageId: null, choice: null };
      if (found.messageId === null && leftMs > 0) {
        const owns = ownsForMs > 0 && (await hasAsked(tx, step));
        const ownsUntil = owns ? new Date(begun.startedAt.getTime() + Math.min(ownsForMs, forMs)) : null;
        await noteWaiting(tx, { ...step, agencyId: standing.agencyId }, { waitsFor, until, ownsUntil });
        return { stop: null, ...found, leftMs, until: until.toISOString() };
      }
      await endStep(tx, step, isSkipped ? { ...found, skipped: true } : found);
      return { stop: null, ...found, leftMs: 0 };
    });
  }

  /** The buttons that it has sent last, and the choices that are its texts: their exact words count as pressing one. */
  async function offeredBy(
    tx: Tx,
    definition: string,
    { executionId, choices }: { executionId: string; choices: readonly string[] },
  ): Promise<OfferedButton[]> {
    const usual = automations.find(definition)?.usual ?? {};
    const written = await readTexts(tx, executionId);
    const texts = choices.flatMap((id) => {
      const text = written[id] ?? usual[id];
      return text === undefined ? [] : [{ id, text }];
    });
    return [...(await listOffered(tx, executionId)), ...texts];
  }

  return { lookForReply, lookForWords, lookForAck, noteSleep };
}
