import { LEVELS } from '../../domain/automations/acks.ts';
import {
  AssignHuman,
  Ask,
  Log,
  Remember,
  Send,
  SendButtons,
  SendMedia,
  Wait,
  WaitForAck,
} from '../../domain/automations/flow-inputs.ts';
import type { OfferedButton } from '../../domain/automations/choice.ts';
import type { StopReason } from '../../domain/automations/execution.ts';
import type { FlowFunctionName, ListenFilter } from '../../domain/flows/index.ts';
import { partsOfFile } from '../../domain/sending/parts.ts';
import { answerAgain } from '../../db/agent/settle-owed.ts';
import { partWith, say } from '../automations/send-step.ts';
import { take } from '../automations/take-step.ts';
import type { Looked, StepActivities, Taken } from '../automations/steps.ts';
import type { ActivityDependencies } from '../dependencies.ts';

/** A task that is taken now, and the step that it writes. */
export interface TaskStep {
  executionId: string;
  number: number;
  path: string;
  /** The time that it waits for is over, by the clock of the workflow. */
  isOver: boolean;
}

/** The state of a task after an attempt. */
export type TaskTaken =
  { is: 'done' } | { is: 'waiting'; leftMs: number; until: string | null } | { is: 'stopped'; reason: StopReason };

type Input = Readonly<Record<string, unknown>>;
type Bound = (step: TaskStep, input: Input) => Promise<TaskTaken>;

/** The functions that write rows alone. The others reach another system (`calls.ts`). */
export type RowFunction = Exclude<FlowFunctionName, OutsideFunction>;
export type OutsideFunction = 'label' | 'callWebhook' | 'http';

/** A person who has the conversation is never talked over by a stored workflow. */
const FENCED = { besidePeople: false } as const;

/** Binds the functions to what they do. They act by the same steps as automations in code. */
export function bindFunctions(
  { database }: Pick<ActivityDependencies, 'database'>,
  steps: StepActivities,
): { call: Readonly<Record<RowFunction, Bound>>; sleep: Sleep; listen: Listen } {
  const sendText = async (
    { isOver: _isOver, ...step }: TaskStep,
    { text, buttons, transactional }: { text: string; buttons: readonly OfferedButton[]; transactional: boolean },
  ): Promise<TaskTaken> => {
    const name = buttons.length === 0 ? 'send' : 'sendButtons';
    const saying = { parts: [partWith(text, buttons)], shown: {} };
    return said(await say(database, { ...step, ...FENCED, name, transactional }, () => Promise.resolve(saying)));
  };

  const waitForReply = async (step: TaskStep, { timeoutMs, choices, ownsForMs }: Wait): Promise<TaskTaken> =>
    waited(
      await steps.lookForReply({
        ...step,
        ...FENCED,
        name: 'waitForReply',
        timeoutMs,
        choices: choices.map(({ id }) => id),
        offered: choices,
        ...(ownsForMs === undefined ? {} : { ownsForMs }),
      }),
    );

  const sleep: Sleep = async (step, forMs) =>
    waited(await steps.noteSleep({ ...step, ...FENCED, name: 'sleep', forMs }));

  const changeHands = async (
    { isOver: _isOver, ...step }: TaskStep,
    to: Omit<Parameters<StepActivities['changeHandsFor']>[0], keyof TaskStep | 'besidePeople'>,
  ): Promise<TaskTaken> => said(await steps.changeHandsFor({ ...step, ...FENCED, ...to }));

  return {
    sleep,
    listen: async (step, { filters, after, forMs }) =>
      waited(
        await steps.lookForWords({
          ...step,
          ...FENCED,
          name: 'waitForReply',
          timeoutMs: forMs,
          after,
          filters: filters.map(({ text }) => text),
        }),
      ),
    call: {
      send: (step, input) => sendText(step, { ...Send.parse(input), buttons: [] }),
      sendButtons: (step, input) => sendText(step, SendButtons.parse(input)),
      async sendMedia({ isOver: _isOver, ...step }, input) {
        const { transactional, ...file } = SendMedia.parse(input);
        const saying = { parts: partsOfFile(file), shown: {} };
        const sending = { ...step, ...FENCED, name: 'sendMedia', transactional };
        return said(await say(database, sending, () => Promise.resolve(saying)));
      },
      async ask(step, input) {
        const { text, ...wait } = Ask.parse(input);
        const asking = { ...step, number: step.number - 1 };
        const asked = await sendText(asking, { text, buttons: wait.choices, transactional: false });
        return asked.is === 'done' ? waitForReply(step, wait) : asked;
      },
      waitForReply: (step, input) => waitForReply(step, Wait.parse(input)),
      async waitForAck(step, input) {
        const { messageId, level, timeoutMs } = WaitForAck.parse(input);
        const waiting = { messageId, level: LEVELS[level], timeoutMs };
        return waited(await steps.lookForAck({ ...step, ...FENCED, name: 'waitForAck', ...waiting }));
      },
      async assignHuman(step, input) {
        return changeHands(step, { name: 'assignHuman', to: 'person', ...AssignHuman.parse(input) });
      },
      async release(step) {
        return changeHands(step, { name: 'release', to: 'agent', assignee: null, reason: null });
      },
      async letAgentAnswer({ isOver: _isOver, ...step }) {
        const asking = { ...step, ...FENCED, name: 'letAgentAnswer', isVisible: true };
        const asked = await take(database, asking, async (tx, { conversationId }) => {
          if (conversationId === null) return { refused: 'no_conversation' };
          await answerAgain(tx, conversationId);
          return {};
        });
        return said(asked);
      },
      async isOpen({ isOver: _isOver, ...step }) {
        return done(await steps.lookAtHours({ ...step, name: 'isOpen' }));
      },
      async sleepUntilWorkingHours(step) {
        const { isOver: _isOver, ...looking } = step;
        const looked = await steps.lookAtHours({ ...looking, number: step.number - 1, name: 'sleepUntilWorkingHours' });
        if (looked.stop !== null) return { is: 'stopped', reason: looked.stop };
        const { opensInMs } = looked.detail;
        return sleep(step, typeof opensInMs === 'number' ? opensInMs : 0);
      },
      async remember({ isOver: _isOver, ...step }, input) {
        const { text, days } = Remember.parse(input);
        return done(await steps.rememberFact({ ...step, name: 'remember', fact: text, days }));
      },
      async log({ isOver: _isOver, ...step }, input) {
        const { word, detail } = Log.parse(input);
        return done(await steps.noteWord({ ...step, name: 'log', detail: { word, ...detail } }));
      },
    },
  };
}

type Sleep = (step: TaskStep, forMs: number) => Promise<TaskTaken>;
type Listen = (
  step: TaskStep,
  wait: { filters: readonly Pick<ListenFilter, 'text'>[]; after: string | null; forMs: number },
) => Promise<TaskTaken>;

function done(taken: Taken): TaskTaken {
  return taken.stop === null ? { is: 'done' } : { is: 'stopped', reason: taken.stop };
}

/** A message or a handover that has no conversation ends the run, as it ends an automation in code. */
function said(taken: Taken): TaskTaken {
  if (taken.stop === null && taken.detail['refused'] !== undefined)
    return { is: 'stopped', reason: 'conversation_gone' };
  return done(taken);
}

function waited(looked: Looked): TaskTaken {
  if (looked.stop !== null) return { is: 'stopped', reason: looked.stop };
  return looked.leftMs <= 0 ? { is: 'done' } : { is: 'waiting', leftMs: looked.leftMs, until: looked.until ?? null };
}
