import { condition, proxyLocalActivities } from '@temporalio/workflow';
import type { z } from 'zod';
import type { Looked, StepActivities } from '../../activities/automations/steps.ts';
import type { AnswerForms } from '../../domain/automations/answers.ts';
import type { ExecutionFacts } from '../../domain/automations/execution.ts';
import { requireLogWords } from './log-words.ts';
import type { LoggedValue } from './log-words.ts';
import { createOutside, detailOf } from './outside.ts';
import { Stopped } from './stopped.ts';
import type { ExecutionStory } from './story.ts';
import { toldValues } from './template.ts';
import type { TemplateValue } from './template.ts';
import { requireWaitTime } from './wait-time.ts';
import { LOCAL_WITHIN } from '../timeouts.ts';

/** Steps are a few statements. The database is away at times, so they are tried until it is back. */
const { sendText, changeHandsFor, lookForReply, lookForAck, noteSleep, lookAtHours, rememberText, noteWord } =
  proxyLocalActivities<StepActivities>({
    startToCloseTimeout: LOCAL_WITHIN,
    retry: { initialInterval: '500 ms', maximumInterval: '10 s' },
  });

/** How far the network tells that a message has come. */
export const LEVELS = { sent: 1, delivered: 2, read: 3, played: 4 } as const;

/** A reply that was waited for. */
export interface Reply {
  messageId: string;
  /** Which of the choices it is, such as the name of the button that was pressed; null when it is none of them. */
  choice: string | null;
}

/**
 * What an automation can do. Each is durable: after a crash the code goes on where it was. Before anything that others
 * notice it is asked whether the execution may go on; when not, it ends there.
 */
export interface Context<
  TextName extends string = string,
  Answers extends AnswerForms = AnswerForms,
  Templates extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
> {
  /** The conversation and what began the execution, by their ids. */
  readonly facts: Omit<ExecutionFacts, 'params'>;
  /** The version of the automation with which the execution began, and goes on however new the code is. */
  readonly version: number;
  /** The times, numbers and flags that the request said. */
  readonly input: Readonly<Record<string, string | number | boolean>>;
  /**
   * Sends one of the automation's texts to the contact. Answers the id of the message. A contact who has opted out gets
   * only what is `transactional`; before anything else the execution ends.
   */
  send(text: TextName, how?: { transactional?: boolean }): Promise<string>;
  /** Sends one of the texts that has `values`, and says what stands in for each of them. */
  sendTemplate<Name extends keyof Templates & string>(
    text: Name,
    values: Readonly<Record<Templates[Name], TemplateValue>>,
    how?: { transactional?: boolean },
  ): Promise<string>;
  /** Does the same as `send` with up to three buttons, each one of the texts. A reply that presses one has its name as `choice`. */
  sendButtons(text: TextName, buttons: readonly TextName[], how?: { transactional?: boolean }): Promise<string>;
  /**
   * Waits until the contact writes, `timeoutMs` at most, which is at most ten years; null when the contact does not. With `choices` it is told
   * which of them the contact has written. If it has said something before, that is its question: the agent is silent
   * until the answer comes, a day at most. `ownsForMs` is another time; with 0 it only watches, and the agent answers.
   */
  waitForReply(wait: { timeoutMs: number; choices?: readonly string[]; ownsForMs?: number }): Promise<Reply | null>;
  /**
   * Waits until the network tells that a message which it has sent has come so far, `timeoutMs` at most. False when it
   * has not, or never will.
   */
  waitForAck(messageId: string, wait: { level: keyof typeof LEVELS; timeoutMs: number }): Promise<boolean>;
  /**
   * Gives the conversation to a person; the agent stays silent from then on. With `among` it is whoever of them has the
   * fewest conversations.
   */
  assignHuman(to?: { assignee?: string; among?: readonly string[]; reason?: string }): Promise<void>;
  /** Gives the conversation back to the agent. */
  release(): Promise<void>;
  /** Sleeps, days if need be, and at most ten years. */
  sleep(forMs: number): Promise<void>;
  /** Tells whether it is within the working hours of the tenant's persona; always where it has none. */
  isOpen(): Promise<boolean>;
  /** Sleeps until the next of these working hours begin; not at all while they last. */
  sleepUntilWorkingHours(): Promise<void>;
  /** Keeps one of the texts as a fact about the contact, which the agent is told; for so many days, or for ever. */
  remember(text: TextName, how?: { days?: number }): Promise<void>;
  /**
   * Puts the account's label of that name on the chat, or takes it off; its other labels stay. What it labels starts no
   * automation.
   */
  label(name: string, how?: { mode?: 'add' | 'remove' }): Promise<void>;
  /**
   * Posts a signed request to an endpoint of the tenant's, with the ids of the conversation and these words and numbers.
   * It is repeated for minutes, always with the same `webhook-id`.
   */
  callWebhook(endpointId: string, data?: Told): Promise<void>;
  /** Does the same, and reads the answer by one of the automation's `answers`. */
  askWebhook<Name extends keyof Answers & string>(
    endpointId: string,
    answer: Name,
    data?: Told,
  ): Promise<z.output<Answers[Name]>>;
  /**
   * Has the agent's model read the conversation, and answers what the descriptions of one of the automation's `answers`
   * ask. It is paid from the agent's budgets, and asked also while the agent is off.
   */
  askAi<Name extends keyof Answers & string>(answer: Name): Promise<z.output<Answers[Name]>>;
  /** Notes a word, and ids or numbers, as a step that everybody sees who reads the run; nothing that somebody has said. */
  log(word: string, detail?: Readonly<Record<string, LoggedValue>>): Promise<void>;
  /** The time, which a replay does not change. */
  now(): Date;
}

/** What an automation's code gets, but for the forms of answers: `define.ts` reads by them. */
export interface PlainContext extends Omit<Context, 'askWebhook' | 'askAi'> {
  askAi(answer: string): Promise<unknown>;
  askWebhook(endpointId: string, answer: string, data?: Told): Promise<unknown>;
}

/** What goes out beside the ids: words without spaces and numbers; nothing that somebody has said. */
export type Told = Readonly<Record<string, LoggedValue>>;

interface Making {
  facts: ExecutionFacts;
  besidePeople: boolean;
  story: ExecutionStory;
  /** True once when somebody has said that something may have changed. */
  takeHint: () => boolean;
  hasHint: () => boolean;
}

export function createContext({ facts, besidePeople, story, takeHint, hasHint }: Making): PlainContext {
  let number = 0;
  const begin = (name: string) => {
    number += 1;
    story.step(number, name);
    return { executionId: facts.executionId, number, name };
  };

  /** Waits until `look` finds what is waited for, or the time is over. */
  async function wait(
    look: (isOver: boolean) => Promise<Looked>,
    name: string,
  ): Promise<Extract<Looked, { stop: null }>> {
    let isOver = false;
    for (;;) {
      takeHint();
      const found = await look(isOver);
      if (found.stop !== null) throw new Stopped(found.stop);
      if (found.leftMs <= 0) return found;
      story.waits(name, found);
      isOver = !(await condition(hasHint, found.leftMs, { summary: name }));
    }
  }

  const sleep = async (forMs: number): Promise<void> => {
    requireWaitTime('sleep', forMs);
    const step = begin('sleep');
    await wait((isOver) => noteSleep({ ...step, besidePeople, forMs, isOver }), 'sleeps');
  };

  return {
    facts,
    // Executions that began before it was told have the first.
    version: facts.version ?? 1,
    input: facts.input ?? {},
    async send(text, { transactional = false } = {}) {
      const how = transactional ? { transactional } : {};
      const { messageId } = detailOf(await sendText({ ...begin('send'), besidePeople, text, ...how }));
      if (typeof messageId !== 'string') throw new Stopped('conversation_gone');
      return messageId;
    },
    async sendTemplate(text, values, { transactional = false } = {}) {
      const how = { text, values: toldValues(text, values), ...(transactional ? { transactional } : {}) };
      const { messageId } = detailOf(await sendText({ ...begin('sendTemplate'), besidePeople, ...how }));
      if (typeof messageId !== 'string') throw new Stopped('conversation_gone');
      return messageId;
    },
    async waitForReply({ timeoutMs, choices = [], ownsForMs }) {
      requireWaitTime('waitForReply', timeoutMs);
      const step = begin('waitForReply');
      const owns = ownsForMs === undefined ? {} : { ownsForMs };
      const asked = { ...step, besidePeople, timeoutMs, choices, ...owns };
      const found = await wait((isOver) => lookForReply({ ...asked, isOver }), 'for a reply');
      return found.messageId === null ? null : { messageId: found.messageId, choice: found.choice };
    },
    async sendButtons(text, buttons, { transactional = false } = {}) {
      const how = { text, buttons, ...(transactional ? { transactional } : {}) };
      const { messageId } = detailOf(await sendText({ ...begin('sendButtons'), besidePeople, ...how }));
      if (typeof messageId !== 'string') throw new Stopped('conversation_gone');
      return messageId;
    },
    async waitForAck(messageId, { level, timeoutMs }) {
      requireWaitTime('waitForAck', timeoutMs);
      const step = { ...begin('waitForAck'), besidePeople, messageId, level: LEVELS[level], timeoutMs };
      const found = await wait((isOver) => lookForAck({ ...step, isOver }), 'for an ack');
      return found.choice !== null && found.choice !== 'failed' && found.choice !== 'cancelled';
    },
    async assignHuman({ assignee = null, among = [], reason = null }: Assignment = {}) {
      const whom = among.length === 0 ? { assignee } : { assignee, among };
      detailOf(await changeHandsFor({ ...begin('assignHuman'), besidePeople, to: 'person', ...whom, reason }));
    },
    async release() {
      const step = begin('release');
      detailOf(await changeHandsFor({ ...step, besidePeople, to: 'agent', assignee: null, reason: null }));
    },
    sleep,
    async isOpen() {
      return detailOf(await lookAtHours(begin('isOpen')))['isOpen'] === true;
    },
    async sleepUntilWorkingHours() {
      const { opensInMs } = detailOf(await lookAtHours(begin('sleepUntilWorkingHours')));
      if (typeof opensInMs === 'number') await sleep(opensInMs);
    },
    async remember(text, { days } = {}) {
      detailOf(await rememberText({ ...begin('remember'), text, days: days ?? null }));
    },
    ...createOutside(begin, besidePeople),
    async log(word, detail = {}) {
      requireLogWords(word, detail);
      detailOf(await noteWord({ ...begin('log'), detail: { word, ...detail } }));
    },
    now: () => new Date(),
  };
}

interface Assignment {
  assignee?: string | null;
  among?: readonly string[];
  reason?: string | null;
}
