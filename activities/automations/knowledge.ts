import { keepMemory, lockMemories } from '../../db/agent/memory.ts';
import { textOf } from '../../db/automations/execution.ts';
import { beginStep, endStep } from '../../db/automations/steps.ts';
import type { Step, StepDetail } from '../../db/automations/steps.ts';
import { readOpeningOf } from '../../db/automations/working-hours.ts';
import type { Tx } from '../../db/engine/tx.ts';
import type { StepFailure } from '../../domain/automations/execution.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { inStep, take } from './take-step.ts';
import type { Taken } from './take-step.ts';

const DAY_MS = 86_400_000;

/** Creates the activities by which automations learn something, and keep it. None of them is noticed by a contact. */
export function createKnowledgeActivities({
  database,
  automations,
}: Pick<ActivityDependencies, 'database' | 'automations'>) {
  /**
   * Looks whether it is within the working hours. Safe to repeat: what was seen first stays.
   * Rows: automation_step, tenant.
   */
  async function lookAtHours(step: Step): Promise<Taken> {
    return take(database, { ...step, besidePeople: true }, async (tx, standing) => {
      const { isOpen, opensInMs } = await readOpeningOf(tx, standing);
      return { isOpen, opensInMs };
    });
  }

  /**
   * Keeps one of the automation's texts as a fact about the contact, which the agent is told. Safe to repeat: the step is
   * done once. Rows: automation_step, memory.
   */
  async function rememberText({ text, days, ...step }: Step & { text: string; days: number | null }): Promise<Taken> {
    const usual = (definition: string) => automations.find(definition)?.usual[text];
    return keep({ ...step, days }, (tx) => textOf(tx, step.executionId, { name: text, usual }));
  }

  /** Keeps a fact that the caller words. Safe to repeat: the step is done once. Rows: automation_step, memory. */
  async function rememberFact({ fact, ...step }: Step & { fact: string; days: number | null }): Promise<Taken> {
    return keep(step, () => Promise.resolve(fact));
  }

  async function keep(
    { days, ...step }: Step & { days: number | null },
    factOf: (tx: Tx) => Promise<string>,
  ): Promise<Taken> {
    return take(database, { ...step, besidePeople: true }, async (tx, { agencyId, tenantId, contactId }) => {
      if (contactId === null) return { refused: 'no_contact' };
      const owner = { agencyId, tenantId, contactId };
      await lockMemories(tx, owner);
      const { id } = await keepMemory(tx, owner, {
        fact: await factOf(tx),
        category: 'context',
        source: 'automation',
        evidenceMessageId: null,
        turnId: null,
        confidence: null,
        expiresAt: days === null ? null : new Date(tx.now.getTime() + days * DAY_MS),
        supersedes: null,
      });
      return { memoryId: id };
    });
  }

  /** Notes a word of the author's beside the steps. Safe to repeat: the step is done once. Rows: automation_step. */
  async function noteWord({ detail, ...step }: Step & { detail: StepDetail }): Promise<Taken> {
    return take(database, { ...step, besidePeople: true }, () => Promise.resolve(detail));
  }

  /**
   * Notes that a step could not be done, and why. Safe to repeat: the step ends once. Rows: automation_step.
   */
  async function noteFailure({ reason, ...step }: Step & { reason: StepFailure }): Promise<void> {
    await inStep(database, async (tx) => {
      await beginStep(tx, step);
      await endStep(tx, step, { failed: reason });
    });
  }

  return { lookAtHours, rememberText, rememberFact, noteWord, noteFailure };
}
