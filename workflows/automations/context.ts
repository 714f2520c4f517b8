import type { z } from 'zod';
import type { LEVELS } from '../../domain/automations/acks.ts';
import type { AnswerForms } from '../../domain/automations/answers.ts';
import type { ExecutionFacts } from '../../domain/automations/execution.ts';
import type { LoggedValue } from './log-words.ts';
import type { TemplateValue } from './template.ts';

/** A reply to `waitForReply`. */
export interface Reply {
  messageId: string;
  /** The matching choice, such as the name of the pressed button; null if no choice matches. */
  choice: string | null;
}

/**
 * The functions of an automation. Each step is durable: after a crash the code continues from its last step. Before
 * each step that others notice, the engine checks whether the run may continue; otherwise the run ends there.
 */
export interface Context<
  TextName extends string = string,
  Answers extends AnswerForms = AnswerForms,
  Templates extends Readonly<Record<string, string>> = Readonly<Record<string, string>>,
> {
  /** The ids of the run, its conversation, contact and session, and the event that began it. */
  readonly facts: Omit<ExecutionFacts, 'params'>;
  /** The version of the automation at the start of the run. It stays the same when newer code continues the run. */
  readonly version: number;
  /** The times, numbers and flags of the request that began the run. */
  readonly input: Readonly<Record<string, string | number | boolean>>;
  /**
   * Sends one of the automation's texts to the contact and returns the message's id. A contact who has opted out
   * receives only `transactional` texts; any other send ends the run.
   */
  send(text: TextName, how?: { transactional?: boolean }): Promise<string>;
  /** Sends a text that has `values`, with one for each: a number, a `Date` or a word without spaces. */
  sendTemplate<Name extends keyof Templates & string>(
    text: Name,
    values: Readonly<Record<Templates[Name], TemplateValue>>,
    how?: { transactional?: boolean },
  ): Promise<string>;
  /**
   * Sends a text with one to ten buttons, each one of the texts. If the contact presses one, `choice` of the reply is
   * its name. Accounts that cannot show buttons get numbered text.
   */
  sendButtons(text: TextName, buttons: readonly TextName[], how?: { transactional?: boolean }): Promise<string>;
  /**
   * Waits until the contact writes; null after `timeoutMs`, which is at most ten years. `choices` are words, or names
   * of texts; `choice` of the reply is the matching one. If the run has sent a message before, that is its question:
   * the agent stays silent until the answer, for a day at most. `ownsForMs` sets another time; with 0 it answers.
   */
  waitForReply(wait: { timeoutMs: number; choices?: readonly string[]; ownsForMs?: number }): Promise<Reply | null>;
  /**
   * Waits until a message of this run reaches the level. Returns false after `timeoutMs`, or if the message can never
   * reach it.
   */
  waitForAck(messageId: string, wait: { level: keyof typeof LEVELS; timeoutMs: number }): Promise<boolean>;
  /**
   * Assigns the conversation to a person; the agent stays silent from then on. `among` chooses the one with the fewest
   * conversations.
   */
  assignHuman(to?: { assignee?: string; among?: readonly string[]; reason?: string }): Promise<void>;
  /**
   * Returns the conversation to the agent. It acts only if this run assigned the conversation and no person has acted
   * there since.
   */
  release(): Promise<void>;
  /** Sleeps for up to ten years. */
  sleep(forMs: number): Promise<void>;
  /** Returns whether the tenant's persona is within its working hours; true if it has none. */
  isOpen(): Promise<boolean>;
  /** Sleeps until the next working hours begin. During working hours it returns at once. */
  sleepUntilWorkingHours(): Promise<void>;
  /** Stores one of the texts as a fact about the contact for the agent, for `days` or forever. */
  remember(text: TextName, how?: { days?: number }): Promise<void>;
  /**
   * Adds the account's label of this name to the chat, or removes it; other labels stay. This change starts no
   * automation.
   */
  label(name: string, how?: { mode?: 'add' | 'remove' }): Promise<void>;
  /**
   * Posts a signed request to one of the tenant's endpoints, with `data` and the ids of the run, conversation and
   * contact. It makes six attempts within two minutes, always with the same `webhook-id`.
   */
  callWebhook(endpointId: string, data?: Told): Promise<void>;
  /**
   * Does the same as `callWebhook` and reads at most 16 KiB of JSON with one of the automation's `answers`. Other
   * fields are dropped.
   */
  askWebhook<Name extends keyof Answers & string>(
    endpointId: string,
    answer: Name,
    data?: Told,
  ): Promise<z.output<Answers[Name]>>;
  /**
   * Asks the agent's model about the conversation. The descriptions of the fields of one of the automation's `answers`
   * are the questions. The agent's budgets pay for it, also while the agent is off.
   */
  askAi<Name extends keyof Answers & string>(answer: Name): Promise<z.output<Answers[Name]>>;
  /** Writes a word, with ids or numbers, as a step of the run. It accepts no text that people wrote. */
  log(word: string, detail?: Readonly<Record<string, LoggedValue>>): Promise<void>;
  /** Returns the time. A replay returns the same time. */
  now(): Date;
}

/** The context without the schemas of answers: `define.ts` reads with them. */
export interface PlainContext extends Omit<Context, 'askWebhook' | 'askAi'> {
  askAi(answer: string): Promise<unknown>;
  askWebhook(endpointId: string, answer: string, data?: Told): Promise<unknown>;
}

/** Data beside the ids: words without spaces, numbers and flags. No text that people wrote leaves the engine here. */
export type Told = Readonly<Record<string, LoggedValue>>;
