import { handOver } from '../../db/agent/handover.ts';
import { keepHands, leastBusy, textOf } from '../../db/automations/execution.ts';
import type { OfferedButton } from '../../domain/automations/choice.ts';
import type { TemplateValues } from '../../domain/automations/texts.ts';
import type { ActivityDependencies } from '../dependencies.ts';
import { createKnowledgeActivities } from './knowledge.ts';
import { partWith, say } from './send-step.ts';
import { take } from './take-step.ts';
import type { Taken, TakenStep } from './take-step.ts';
import { createWaitActivities } from './waits.ts';

export type { Taken } from './take-step.ts';
export type { Looked } from './waits.ts';
export type StepActivities = ReturnType<typeof createStepActivities>;

/** Which text goes out, with what its code fills in. */
interface Said {
  text: string;
  values?: TemplateValues;
  buttons?: readonly string[];
  transactional?: boolean;
}

/** Creates the activities that automations take step by step. A step that was done is not done again. */
export function createStepActivities({
  database,
  automations,
}: Pick<ActivityDependencies, 'database' | 'automations'>) {
  /**
   * Accepts one of the automation's texts for the execution's conversation. Safe to repeat: the step and its message are
   * written together, and once. Rows: automation_step, automation_execution, message.
   */
  async function sendText({
    text,
    values = {},
    buttons = [],
    transactional = false,
    ...step
  }: TakenStep & Said): Promise<Taken> {
    return say(database, { ...step, transactional }, async (tx) => {
      const said = (name: string) =>
        textOf(tx, step.executionId, {
          name,
          usual: (definition) => automations.find(definition)?.usual[name],
          values,
        });
      const body = await said(text);
      const offered: OfferedButton[] = [];
      for (const id of buttons) offered.push({ id, text: await said(id) });
      return { parts: [partWith(body, offered)], shown: { text } };
    });
  }

  /**
   * Hands the execution's conversation to a person, or back to the agent. Safe to repeat: the step is done once.
   * Rows: automation_step, automation_execution, conversation, handover.
   */
  async function changeHandsFor({
    to,
    assignee: named,
    among = [],
    reason,
    ...step
  }: TakenStep & {
    to: 'person' | 'agent';
    assignee: string | null;
    among?: readonly string[];
    reason: string | null;
  }): Promise<Taken> {
    return take(database, { ...step, isVisible: true }, async (tx, standing) => {
      const { agencyId, tenantId, sessionId, conversationId } = standing;
      if (conversationId === null) return { refused: 'no_conversation' };
      // A conversation that somebody else has, or in which a person has done something, is not the execution's to give.
      if (to === 'agent' && !standing.hasTaken) return { epoch: null };
      const assignee = among.length === 0 ? named : await leastBusy(tx, { agencyId, tenantId }, among);
      const changed = await handOver(tx, { agencyId, tenantId, sessionId }, conversationId, {
        mode: to === 'person' ? 'human_takeover' : 'bot_active',
        cause: to === 'person' ? 'assign' : 'release',
        assignee,
        reason,
        actor: 'automation',
        executionId: step.executionId,
      });
      if (changed) await keepHands(tx, step.executionId, changed.epoch);
      return { epoch: changed?.epoch ?? null };
    });
  }

  return {
    sendText,
    changeHandsFor,
    ...createKnowledgeActivities({ database, automations }),
    ...createWaitActivities({ database, automations }),
  };
}
