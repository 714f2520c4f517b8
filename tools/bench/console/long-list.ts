import { z } from 'zod';
import { addMessages, layInbox, TENANT } from '../inbox/ground.ts';
import { MASTER_KEY } from '../machine.ts';
import type { Machine } from '../machine.ts';
import type { Result } from '../result.ts';
import { percentile, round } from '../statistics.ts';
import { openDatabase } from '../webhook-ground.ts';
import type { Page } from './browser.ts';
import { firstViews } from './first-view.ts';
import { chatsOpened, longThread } from './long-thread.ts';
import { consolePageOf, logIn } from './open.ts';

const CHATS = 10_000;
const LONG = { id: 'cnv_0', messages: 100_000 };
const SCROLLS = 600;
/** A wheel's turn. */
const STEP_PX = 380;
const FRAME_MS = 1_000 / 60;
/** A frame that is later than this was left out: somebody sees it. */
const LATE_MS = FRAME_MS * 1.5;
const MAX_LATE_SHARE = 0.01;
const MAX_MB = 100;
const LOADED_WITHIN_MS = 240_000;

const Frames = z.array(z.number());
const Heap = z.object({ usedSize: z.number() });

/** Measures a list of all chats and a long chat, which were scrolled to their ends and then are scrolled as by a wheel. */
export async function longList(machine: Machine, page: Page): Promise<Result[]> {
  await machine.newSeries();
  const database = await openDatabase(machine.databaseUrl, 2);
  try {
    await layInbox(database, CHATS, 1);
    await addMessages(database, LONG.id, LONG.messages - 1);
  } finally {
    await database.close();
  }
  const engine = await machine.startEngine('api');
  try {
    await page.open('about:blank');
    await logIn(page, engine.url, MASTER_KEY);
    const firstView = await firstViews(page, engine.url, CHATS);
    await page.open(consolePageOf(engine.url, '/inbox', TENANT));
    await page.until(`document.querySelector('.window-list li') !== null`);
    await page.until(TO_THE_END, LOADED_WITHIN_MS);
    const times = Frames.parse(await page.read(SCROLL));
    const late = times.filter((ms) => ms > LATE_MS).length / times.length;
    await page.ask('HeapProfiler.enable');
    await page.ask('HeapProfiler.collectGarbage');
    const { usedSize } = Heap.parse(await page.ask('Runtime.getHeapUsage'));
    const rows = Number(await page.read(`document.querySelectorAll('.window-list li').length`));
    const mb = usedSize / 2 ** 20;
    const name = `console: ${CHATS.toLocaleString('en')} chats`;
    return [
      firstView,
      {
        path: `${name}, scrolled`,
        measured: `${round((1 - late) * 100)} % of frames in time, p50 ${round(percentile(times, 0.5))} ms, p99 ${round(percentile(times, 0.99))} ms (${times.length})`,
        baseline: `${rows} rows in the document`,
        ratio: null,
        aim: '60 frames/s, 99 % in time',
        met: late <= MAX_LATE_SHARE,
      },
      {
        path: `${name}, memory of the page's script`,
        measured: `${round(mb)} MB`,
        baseline: '',
        ratio: null,
        aim: `≤ ${MAX_MB} MB`,
        met: mb <= MAX_MB,
      },
      await chatsOpened(page, engine.url),
      await longThread(page, engine.url, LONG),
    ];
  } finally {
    await engine.stop();
  }
}

/** Goes to the end of what is loaded, whereupon the page loads more; true once all are there. */
const TO_THE_END = `(() => {
  const list = document.querySelector('.window-list');
  list.scrollTop = list.scrollHeight;
  const item = list.querySelector('li');
  return item !== null && Number(item.getAttribute('aria-setsize')) === ${CHATS};
})()`;

/** Scrolls up step by step, and answers the times between frames. */
const SCROLL = `new Promise((resolve) => {
  const list = document.querySelector('.window-list');
  const times = [];
  let last;
  const step = (now) => {
    if (last !== undefined) times.push(now - last);
    last = now;
    list.scrollTop -= ${STEP_PX};
    if (times.length < ${SCROLLS}) requestAnimationFrame(step);
    else resolve(times);
  };
  requestAnimationFrame(step);
})`;
