import type { Locator, Page } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Engine, Message } from '../../../packages/typescript/src/index.ts';
import type { Hand } from '../hand/hand.ts';
import type { Scene } from '../scene/scene.ts';

export const DAY_TENANT = 'day';
/** The person at the keyboard, and the colleague. */
export const ME = 'Maria';
export const COLLEAGUE = 'Bo';

export interface Customer {
  from: string;
  pushName: string;
  text: string;
}

/** The means of a task of the day. */
export interface Day {
  scene: Scene;
  engine: Engine;
  account: string;
}

/** A task of one person in a day. Each task begins on the page that the one before has left. */
export interface DayTask {
  title: string;
  /** Makes what the person finds. */
  prepare?(day: Day): Promise<void>;
  act(hand: Hand, day: Day): Promise<void>;
}

/** Lets a customer write, and waits for the message. Returns their conversation. */
export async function writes({ scene, engine, account }: Day, { from, pushName, text }: Customer): Promise<string> {
  await scene.sandbox.account(account, 'inbound', { from, pushName, text });
  return await until(`the message of ${pushName}`, async () => {
    const { chats } = await engine.conversations.list({ search: from });
    const [chat] = chats;
    return chat?.lastMessage?.body === text && chat.conversationId;
  });
}

export async function conversationOf({ engine }: Day, { from }: Customer): Promise<string> {
  const { chats } = await engine.conversations.list({ search: from });
  const [chat] = chats;
  if (chat === undefined) throw new Error(`${from} has no conversation.`);
  return chat.conversationId;
}

/** Waits until the engine has a message like this in the conversation. */
export function message(
  { engine }: Day,
  conversationId: string,
  what: string,
  isIt: (message: Message) => boolean,
): Promise<Message> {
  return until(what, async () => (await engine.conversations.listMessages(conversationId)).messages.find(isIt));
}

/** Opens a conversation from the list. */
export async function openChat(hand: Hand, conversationId: string): Promise<void> {
  await hand.open('Inbox');
  await hand.press(hand.page.locator(`a.chat[href*="${conversationId}"]`));
  await hand.page.waitForURL((url) => url.pathname.endsWith(conversationId));
  await hand.page.getByRole('log').waitFor();
}

export const bubble = (page: Page, text: string): Locator => page.getByRole('article').filter({ hasText: text });

/** Sends what the field has, by its key. */
export async function sendByKey({ page }: Hand): Promise<void> {
  await page.keyboard.press('Control+Enter');
}

/** Throws while no control has the focus: the next key would begin at the top of the page. */
export async function focusIsHeld(page: Page): Promise<void> {
  await until('a control to have the focus', () =>
    page.evaluate(() => document.activeElement !== null && document.activeElement !== document.body),
  );
}
