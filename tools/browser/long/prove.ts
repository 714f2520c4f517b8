import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab } from '../stage.ts';
import { violations } from '../views/axe.ts';
import { drawn } from '../views/looks.ts';
import { layInbox, messageId, wordsOf } from './ground.ts';

const TENANT = 'crowd';
const CHATS = 10_000;
const MESSAGES = 100_000;
/** A hit far from both ends. */
const DEEP = 41_235;
const EARLY = 40;
/** The messages that scrolling loads here. All of them are a hundred pages, which the bench loads. */
const EARLIER = 1_500;
const IDA = { from: '15550100199', pushName: 'Ida Long', text: 'I have much to say.' };
const SOON = { timeout: 45_000 };
/** The rows of a screen with those above and below it. A list that keeps all of them has thousands. */
const MAX_ROWS = 70;
/** The row of a reader may move by less than a line when heights become known. */
const MAX_SHIFT_PX = 4;

/** Proves that an inbox of 10,000 chats and a chat of 100,000 messages can be read to their ends. */
export async function proveLong(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const engine = scene.engine.for({ tenantId: TENANT });
  const account = await scene.connectAccount(undefined, TENANT);
  await scene.sandbox.account(account.name, 'inbound', IDA);
  const { conversationId } = await until('the chat', async () => (await engine.conversations.list()).chats[0]);
  await layInbox(scene, {
    tenant: TENANT,
    session: account.id,
    conversation: conversationId,
    chats: CHATS - 1,
    messages: MESSAGES,
  });
  const tab = await Tab.open(browser, scene, { key: scene.key });
  const { page } = tab;
  const log = page.getByRole('log');

  await report.prove('the list of 10,000 chats scrolls to its last one, with a screen of rows', tab, async () => {
    await tab.go('/inbox', { tenant: TENANT });
    await rowAt(page, 1).waitFor();
    await page.waitForFunction(scrollListTo, CHATS);
    assert.ok((await page.locator('.window-list li').count()) <= MAX_ROWS);
    assert.equal(await rowAt(page, CHATS).getAttribute('aria-setsize'), `${CHATS}`);
    await rowAt(page, CHATS).getByRole('link').focus();
    for (const [key, place] of LIST_KEYS) {
      await page.keyboard.press(key);
      await focusedRow(page, place(CHATS)).waitFor(SOON);
    }
    assert.ok((await page.locator('.window-list li').count()) <= MAX_ROWS);
    assert.deepEqual(await violations(page), []);
  });

  await report.prove('earlier messages arrive above, and the line that one reads stays', tab, async () => {
    await tab.go(`/inbox/${conversationId}`, { tenant: TENANT });
    await log.getByText(IDA.text, { exact: true }).waitFor();
    await tab.settled();
    const gate = Promise.withResolvers<void>();
    await page.route(isFurther, async (route) => {
      await gate.promise;
      await route.continue();
    });
    await page.locator('.thread').evaluate((thread) => (thread.scrollTop = 150));
    await page.locator('.entry[data-index="1"]').waitFor();
    const read = await page.evaluate(readLine);
    gate.resolve();
    const moved = await page.waitForFunction(movedSince, read);
    await page.unroute(isFurther);
    const px = await moved.jsonValue().then((by) => (by === false ? Infinity : by.px));
    assert.ok(px <= MAX_SHIFT_PX, `The line moved by ${px} px.`);
  });

  await report.prove('thousands of earlier messages leave a screen of lines in the document', tab, async () => {
    await page.waitForFunction(scrollThreadUp, { number: MESSAGES, above: EARLIER });
    assert.ok((await page.locator('.entry').count()) <= MAX_ROWS);
  });

  // From here on, nothing is loaded above.
  await page.route(isFurther, () => undefined);
  await report.prove('a message that arrives moves nobody who reads earlier ones', tab, async () => {
    const more = 'One more of many';
    await page.locator('.thread').evaluate((thread) => (thread.scrollTop = 1_000));
    await drawn(page);
    const read = await page.evaluate(readLine);
    await scene.sandbox.personWrites(account.name, IDA.from, more);
    const pill = page.getByRole('button', { name: '1 new' });
    await pill.waitFor(SOON);
    const now = await page.evaluate(readLine);
    assert.equal(now.id, read.id);
    assert.ok(Math.abs(now.top - read.top) <= MAX_SHIFT_PX);
    await page
      .getByRole('status')
      .filter({ hasText: more })
      .waitFor({ state: 'attached', ...SOON });
    await pill.click();
    await log.getByText(more, { exact: true }).waitFor(SOON);
    await pill.waitFor({ state: 'detached' });
  });

  await report.prove('keys lead through thousands of messages, and the Tab key leaves them', tab, async () => {
    const focused = page.locator('article:focus');
    const place = async (): Promise<number> => Number(await focused.getAttribute('aria-posinset'));
    await log.focus();
    await page.keyboard.press('Home');
    await page.locator('article[aria-posinset="1"]:focus').waitFor(SOON);
    await page.keyboard.press('PageDown');
    await page.waitForFunction(focusIsBelow, 2);
    const before = await place();
    await page.keyboard.press('PageUp');
    await page.keyboard.press('PageUp');
    await page.locator('article[aria-posinset="1"]:focus').waitFor(SOON);
    assert.ok(before > 2);
    await page.keyboard.press('ArrowDown');
    await page.locator('article[aria-posinset="2"]:focus').waitFor(SOON);
    await page.locator('.thread').evaluate((thread) => (thread.scrollTop = thread.scrollHeight / 2));
    await page.waitForFunction(showsBelow, EARLIER / 4);
    // The focus stays at a line that is far away.
    assert.equal(await place(), 2);
    await page.keyboard.press('ArrowUp');
    await page.locator('article[aria-posinset="1"]:focus').waitFor(SOON);
    await page.keyboard.press('End');
    await page.waitForFunction(focusIsBelow, EARLIER);
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate(() => document.activeElement?.closest('[role=log]') ?? null), null);
    assert.ok((await page.locator('.entry').count()) <= MAX_ROWS);
  });
  await page.unroute(isFurther);

  await report.prove('a hit deep in a long chat opens at its message, in sight and with the focus', tab, async () => {
    await tab.go(`/inbox/${conversationId}?at=${messageId(DEEP)}`, { tenant: TENANT });
    const found = page.locator('article.found').filter({ hasText: wordsOf(DEEP) });
    await found.waitFor();
    await focusedMessage(page, messageId(DEEP)).waitFor(SOON);
    await tab.settled();
    const [box, screen] = [await found.boundingBox(), await page.locator('.thread').boundingBox()];
    assert.ok(box && screen && box.y >= screen.y && box.y + box.height <= screen.y + screen.height);
    await log.getByText(wordsOf(DEEP + 1)).waitFor(SOON);
    assert.equal(await found.getAttribute('aria-setsize'), '-1');
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Newest messages' }).click();
    await log.getByText('One more of many', { exact: true }).waitFor(SOON);
  });

  await report.prove('a chat of 100,000 messages begins with its first one', tab, async () => {
    await tab.go(`/inbox/${conversationId}?at=${messageId(EARLY)}`, { tenant: TENANT });
    await focusedMessage(page, messageId(EARLY)).waitFor(SOON);
    await page.waitForFunction(scrollThreadTo, wordsOf(0));
    const first = page.locator(`[id="m-${messageId(0)}"]`);
    assert.equal(await first.getAttribute('aria-posinset'), '1');
    assert.ok((await page.locator('.entry').count()) <= MAX_ROWS);
  });
  await tab.close();
}

const LIST_KEYS: readonly [string, (count: number) => number][] = [
  ['Home', () => 1],
  ['ArrowDown', () => 2],
  ['End', (count) => count],
  ['ArrowUp', (count) => count - 1],
];

const isFurther = (url: URL): boolean => url.pathname.endsWith('/messages') && url.searchParams.has('cursor');
const rowAt = (page: Page, place: number) => page.locator(`.window-list li[aria-posinset="${place}"]`);
const focusedRow = (page: Page, place: number) =>
  page.locator(`.window-list li[aria-posinset="${place}"]:focus-within`);
const focusedMessage = (page: Page, id: string) => page.locator(`[id="m-${id}"]:focus`);

/*
 * These run in the page, which has nothing of this file but the function.
 */

/** Each call goes to the end of the loaded rows, and the page then loads more. */
function scrollListTo(place: number): boolean {
  const list = document.querySelector('.window-list');
  if (list) list.scrollTop = list.scrollHeight;
  return document.querySelector(`.window-list li[aria-posinset="${place}"]`) !== null;
}

function scrollThreadTo(words: string): boolean {
  const thread = document.querySelector('.thread');
  if (thread) thread.scrollTop = 0;
  return thread?.textContent.includes(words) === true;
}

/** Each call goes to the first loaded message, whereupon the page loads more; true once so many messages are above. */
function scrollThreadUp({ number, above }: { number: number; above: number }): boolean {
  const thread = document.querySelector('.thread');
  if (thread) thread.scrollTop = 0;
  return [...document.querySelectorAll('.entry')].some((entry) => {
    const key = entry.getAttribute('data-key') ?? '';
    return key.startsWith('msg_long_') && Number(key.slice('msg_long_'.length)) < number - above;
  });
}

interface Read {
  id: string;
  top: number;
  position: number;
}

/** Returns the first line that the screen shows as a whole. */
function readLine(): Read {
  const thread = document.querySelector('.thread');
  const top = thread?.getBoundingClientRect().top ?? 0;
  const line = [...document.querySelectorAll('.entry article')].find((one) => one.getBoundingClientRect().top >= top);
  if (!line) throw new Error('The thread shows no message.');
  return {
    id: line.id,
    top: line.getBoundingClientRect().top,
    position: Number(line.getAttribute('aria-posinset')),
  };
}

/** Returns by how many pixels the line has moved once there are others above it. */
function movedSince({ id, top, position }: Read): { px: number } | false {
  const line = document.getElementById(id);
  if (!line || Number(line.getAttribute('aria-posinset')) <= position) return false;
  return { px: Math.abs(line.getBoundingClientRect().top - top) };
}

function showsBelow(place: number): boolean {
  return [...document.querySelectorAll('.entry')].some((entry) => Number(entry.getAttribute('data-index')) > place);
}

function focusIsBelow(place: number): boolean {
  return Number(document.activeElement?.getAttribute('aria-posinset')) > place;
}
