import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { aKeyOf, anAgency, TARGET } from '../agency.ts';
import { describeAges } from '../arrivals.ts';
import { inboundEvent } from '../inbound-event.ts';
import { openLoop } from '../load.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { percentile } from '../statistics.ts';
import { startBrowser } from './browser.ts';
import type { Page } from './browser.ts';
import { longList } from './long-list.ts';
import { consolePageOf, logIn } from './open.ts';

const MESSAGES = 60;
const EVERY_MS = 700;
const BESIDE_PER_SECOND = 10;
const MAX_P95_MS = 300;
const RATES = { API_RATE_PER_MINUTE: '600', API_RATE_PER_MINUTE_OF_AGENCY: '6000' };
/** The number of contacts that `inboundEvent` goes round: so many messages later the first one writes again. */
const CONTACTS = 500;
const SEEN_WITHIN_MS = 10_000;

const Events = z.object({ events: z.array(z.object({ createdAt: z.string(), body: z.string().optional() })) });

/** Measures the console in a browser: from an event to the page that shows it, and a list of many chats. */
export async function consolePages(machine: Machine): Promise<Result[]> {
  const browser = await startBrowser();
  try {
    const { page } = browser;
    return [...(await eventsToPixels(machine, page)), ...(await longList(machine, page))];
  } finally {
    await browser.stop();
  }
}

async function eventsToPixels(machine: Machine, page: Page): Promise<Result[]> {
  await machine.newSeries();
  // The limits that an engine has by itself: what a page asks for too often is refused.
  const engine = await machine.startEngine('all', RATES);
  try {
    const session = await anAgency(engine.url, { dashboardUrl: `${machine.sandboxUrl}/`, working: true });
    await write(engine.url, session.name, 0);
    const conversationId = await firstChat(engine.url);
    await logIn(page, engine.url, await aKeyOf(engine.url, session));
    await page.open(consolePageOf(engine.url, `/inbox/${conversationId}`));
    await page.until(`document.querySelectorAll('.thread .bubble').length > 0`);
    await page.until(`document.querySelector('.live-state').textContent.includes('Live')`);
    await pause(2_000);
    const alone = await watched(page, engine.url, session.name, 1);
    const beside = openLoop(engine.url, (index) => inboundEvent(session.name, 1 + (index % (CONTACTS - 1))), {
      perSecond: BESIDE_PER_SECOND,
      seconds: (MESSAGES * EVERY_MS) / 1_000,
    });
    const busy = await watched(page, engine.url, session.name, 2);
    await beside;
    return [rowOf('the engine else idle', alone), rowOf(`beside ${BESIDE_PER_SECOND} other messages/s`, busy)];
  } finally {
    await engine.stop();
  }
}

interface Seen {
  /** From the event's time in the engine, and from the backend's word of the message, to the frame that shows it. */
  events: number[];
  words: number[];
}

function rowOf(name: string, { events, words }: Seen): Result {
  const p95 = percentile(events, 0.95);
  return {
    path: `console: event to pixel, ${name}`,
    measured: describeAges(events),
    baseline: `from the backend's word ${describeAges(words)}`,
    ratio: null,
    aim: `p95 ≤ ${MAX_P95_MS} ms`,
    met: p95 <= MAX_P95_MS,
  };
}

/** A contact writes one message after the other into the conversation that the page shows. */
async function watched(page: Page, url: string, session: string, round: number): Promise<Seen> {
  const seen: Seen = { events: [], words: [] };
  const startedAt = new Date();
  const pixels = new Map<string, { told: number; shown: number }>();
  for (let n = 0; n < MESSAGES; n += 1) {
    const words = `word ${round} ${n} end`;
    const shown = page.read(watchFor(words));
    const told = Date.now();
    await write(url, session, 0, words);
    pixels.set(words, { told, shown: Number(await shown) });
    await pause(Math.max(0, told + EVERY_MS - Date.now()));
  }
  const created = await eventTimes(url, startedAt);
  for (const [words, { told, shown }] of pixels) {
    const at = created.get(words);
    if (at === undefined) throw new Error(`No event told of "${words}".`);
    seen.events.push(shown - at);
    seen.words.push(shown - told);
  }
  return seen;
}

/** Resolves with the time at which a frame has the words in the thread. */
const watchFor = (words: string): string => `new Promise((resolve, reject) => {
  const has = () => document.querySelector('.thread')?.textContent.includes(${JSON.stringify(words)});
  const timer = setTimeout(() => reject(new Error('not seen: ${words}')), ${SEEN_WITHIN_MS});
  const look = () => {
    if (!has()) return;
    watch.disconnect();
    clearTimeout(timer);
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.timeOrigin + performance.now())));
  };
  const watch = new MutationObserver(look);
  watch.observe(document.body, { subtree: true, childList: true, characterData: true });
})`;

async function write(url: string, session: string, contact: number, words?: string): Promise<void> {
  const { path, headers, body } = inboundEvent(session, contact, words);
  const answer = await fetch(url + path, { method: 'POST', headers, body });
  if (!answer.ok) throw new Error(`An inbound message was answered ${answer.status}.`);
}

const HEADERS = { 'x-api-key': MASTER_KEY };
const Chats = z.object({ chats: z.array(z.object({ conversationId: z.string() })) });

async function firstChat(url: string): Promise<string> {
  const query = new URLSearchParams({ ...TARGET, limit: '1' });
  for (;;) {
    const answer = await fetch(`${url}/api/v1/inbox/chats?${query.toString()}`, { headers: HEADERS });
    const [chat] = Chats.parse(await answer.json()).chats;
    if (chat) return chat.conversationId;
    await pause(100);
  }
}

/** The times at which the engine wrote the events, by the words that they tell. */
async function eventTimes(url: string, since: Date): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  let after = 'start';
  for (;;) {
    const query = new URLSearchParams({ ...TARGET, type: 'message', after, limit: '100' });
    if (after === 'start') query.set('since', since.toISOString());
    const answer = await fetch(`${url}/api/v1/webhooks/events?${query.toString()}`, { headers: HEADERS });
    const page = Events.extend({ nextCursor: z.string(), hasMore: z.boolean() }).parse(await answer.json());
    for (const { createdAt, body = '' } of page.events) {
      const [words] = /word \d+ \d+ end/.exec(body) ?? [];
      if (words !== undefined) times.set(words, Date.parse(createdAt));
    }
    if (!page.hasMore) return times;
    after = page.nextCursor;
  }
}
