import { z } from 'zod';
import { TENANT } from '../inbox/ground.ts';
import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';
import type { Page } from './browser.ts';
import { consolePageOf } from './open.ts';

const OPENED = 24;
const ROW_PX = 58;
const MAX_OPEN_MS = 300;
const SCROLLS = 600;
/** A wheel's turn. */
const STEP_PX = 380;
const MIN_FRAMES = 0.9;
const LOADED_WITHIN_MS = 240_000;

const Opened = z.object({ known: z.number(), loaded: z.number() });
const Frames = z.array(z.number());

/** Measures the time from a click in the list to the words of the chat, for chats that were never open. */
export async function chatsOpened(page: Page, url: string): Promise<Result> {
  await page.open(consolePageOf(url, '/inbox', TENANT));
  await page.until(`document.querySelector('.window-list li') !== null`);
  const opened: z.infer<typeof Opened>[] = [];
  // The first chat is the long one.
  for (let place = 2; place < 2 + OPENED; place += 1) {
    await page.until(rowIsShown(place));
    opened.push(Opened.parse(await page.read(openAt(place))));
  }
  const [known, loaded] = [opened.map((one) => one.known), opened.map((one) => one.loaded)];
  const p95 = percentile(loaded, 0.95);
  return {
    path: 'console: chat opened',
    measured: `newest messages p50 ${round(percentile(loaded, 0.5))} ms, p95 ${round(p95)} ms (${OPENED})`,
    baseline: `the list's words p50 ${round(percentile(known, 0.5))} ms, p95 ${round(percentile(known, 0.95))} ms`,
    ratio: null,
    aim: `p95 ≤ ${MAX_OPEN_MS} ms`,
    met: p95 <= MAX_OPEN_MS,
  };
}

/** Measures a chat that was scrolled up to its first message, and then is scrolled as by a wheel. */
export async function longThread(page: Page, url: string, chat: { id: string; messages: number }): Promise<Result> {
  await page.open(consolePageOf(url, `/inbox/${chat.id}`, TENANT));
  await page.until(`document.querySelector('.thread .lines .bubble') !== null`);
  await page.until(TO_THE_FIRST, LOADED_WITHIN_MS);
  const times = Frames.parse(await page.read(framesOf(`document.querySelector('.thread')`)));
  const rows = Number(await page.read(`document.querySelectorAll('.thread .entry').length`));
  const empty = Frames.parse(await page.read(framesOf(EMPTY_LIST)));
  const ratio = perSecond(times) / perSecond(empty);
  return {
    path: `console: a chat of ${chat.messages.toLocaleString('en')} messages, scrolled`,
    measured: `${round(perSecond(times))} frames/s, p99 ${round(percentile(times, 0.99))} ms (${times.length}), ${rows} lines in the document`,
    baseline: `an empty list ${round(perSecond(empty))} frames/s`,
    ratio,
    aim: `≥ ${MIN_FRAMES} ×`,
    met: ratio >= MIN_FRAMES,
  };
}

const perSecond = (times: readonly number[]): number => (1_000 * times.length) / times.reduce((sum, ms) => sum + ms, 0);

const rowIsShown = (place: number): string => `(() => {
  document.querySelector('.window-list').scrollTop = ${(place - 2) * ROW_PX};
  return document.querySelector('.window-list li[aria-posinset="${place}"] a') !== null;
})()`;

/** Clicks a row, and answers the times until a frame has the chat's name, and until one has its messages. */
const openAt = (place: number): string => `new Promise((resolve) => {
  const row = document.querySelector('.window-list li[aria-posinset="${place}"] a');
  const name = row.querySelector('strong').textContent;
  const times = {};
  const began = performance.now();
  const look = () => {
    const isHere = document.querySelector('.whose h2')?.textContent === name;
    if (isHere) times.known ??= performance.now() - began;
    if (isHere && document.querySelector('.thread .lines .bubble') !== null) times.loaded = performance.now() - began;
    if (times.loaded === undefined) requestAnimationFrame(look);
    else resolve(times);
  };
  row.click();
  requestAnimationFrame(look);
})`;

/** Goes to the first loaded message, whereupon the page loads earlier ones; true once all are there. */
const TO_THE_FIRST = `(() => {
  document.querySelector('.thread').scrollTop = 0;
  const isAll = document.querySelector('.thread article:not([aria-setsize="-1"])') !== null;
  return isAll && document.querySelector('.entry[data-index="0"]') !== null;
})()`;

/** A box as high as the thread, without rows. */
const EMPTY_LIST = `(() => {
  const box = document.createElement('div');
  box.style.cssText = 'position: fixed; inset: 0; overflow: auto; z-index: 9';
  box.append(document.createElement('div'));
  box.firstChild.style.height = document.querySelector('.thread').scrollHeight + 'px';
  document.body.append(box);
  return box;
})()`;

/** Scrolls down step by step, and answers the times between frames. */
const framesOf = (list: string): string => `new Promise((resolve) => {
  const list = ${list};
  const times = [];
  let last;
  const step = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    list.scrollTop += ${STEP_PX};
    if (times.length < ${SCROLLS}) requestAnimationFrame(step);
    else resolve(times);
  };
  requestAnimationFrame(step);
})`;
