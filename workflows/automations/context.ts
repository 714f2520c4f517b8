import type { z } from 'zod';
import type { LEVELS } from '../../domain/automations/acks.ts';
import type { AnswerForms } from '../../domain/automations/answers.ts';
import type { ExecutionFacts } from '../../domain/automations/execution.ts';
import type { LoggedValue } from './log-words.ts';
import type { TemplateValue } from './template.ts';

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
