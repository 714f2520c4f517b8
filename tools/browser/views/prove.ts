import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { makeStorm, STORM } from '../scene/storm.ts';
import { inAgency, Tab, WIDE_SCREEN } from '../stage.ts';
import { proveLanguages } from './languages.ts';
import { findCut } from './layout.ts';
import { drawn, proveLooks } from './looks.ts';
import { proveReference } from './reference.ts';
import { viewsOf } from './views.ts';
import type { View } from './views.ts';

/** Looks at each page as the operator, who sees them all, in the tenant whose customers mean harm. */
export async function proveViews(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const door = await Tab.open(browser, scene);
  await report.prove('whoever has no key can read the door', door, async () => {
    await door.go('/inbox', {});
    await proveLooks(door);
  });
  await door.close();
  const storm = await makeStorm(scene);
  const tab = await Tab.open(browser, scene, { key: await scene.masterKey() });
  const views = viewsOf(storm);
  const linked = new Set<string>();
  for (const view of views)
    await report.prove(`everybody can read ${nameOf(view)}, and strangers’ words are words there`, tab, async () => {
      await tab.page.setViewportSize(WIDE_SCREEN);
      await tab.page.emulateMedia({ colorScheme: 'light' });
      await tab.go(view.path, inAgency(STORM));
      await tab.settled();
      await proveWords(tab.page, view, await readThread(tab));
      if (view.draws === true) await proveDrawn(tab.page);
      for (const path of await tab.page.evaluate(linkedViews)) linked.add(path);
      await proveLooks(tab);
    });
  await report.prove('each page of the menu and each of its views is among them', tab, async () => {
    const looked = views.map(({ path }) => path.split('?')[0]);
    assert.ok(linked.size > looked.length / 2);
    assert.deepEqual(
      [...linked].filter((path) => !looked.includes(path) && !looked.some((other) => other?.startsWith(`${path}/`))),
      [],
    );
  });
  await report.prove('earlier messages are shown although the list is just read again', tab, () =>
    proveEarlierMeanwhile(tab, storm.conversation),
  );
  await tab.close();
  await proveReference(browser, scene, report);
  await proveLanguages(browser, scene, report, storm);
}

/** Runs in the page: the addresses within the console to which its menu and its tabs lead. */
function linkedViews(): string[] {
  const links = document.querySelectorAll<HTMLAnchorElement>('.rail nav a, .tabs a');
  return [...links].map(({ href }) => new URL(href).pathname.replace(/^.*\/console/, ''));
}

/** A page that is asked for while the first one is on its way counts, and stays when that one is there. */
async function proveEarlierMeanwhile(tab: Tab, conversation: string): Promise<void> {
  const { page } = tab;
  await page.setViewportSize(WIDE_SCREEN);
  await tab.go(`/inbox/${conversation}`, inAgency(STORM));
  // The newest lines may all be turns in which the agent said nothing.
  await page.waitForFunction(isAtMessage);
  const article = page.getByRole('article').last();
  const isFirstPage = (url: URL): boolean => url.pathname.endsWith('/messages') && !url.searchParams.has('cursor');
  const gate = Promise.withResolvers<void>();
  await page.route(isFirstPage, async (route) => {
    await gate.promise;
    await route.continue();
  });
  assert.equal(await article.getAttribute('aria-setsize'), '-1', 'All messages were loaded at once');
  try {
    // The page looks for messages from the phone every two seconds.
    await page.waitForRequest((request) => isFirstPage(new URL(request.url())));
    await page.waitForFunction(isAtFirst);
  } finally {
    gate.resolve();
  }
  await tab.settled();
  await page.unroute(isFirstPage);
  assert.ok(await page.evaluate(isAtFirst), 'The earlier messages were lost');
}

/** Without the ids, which are other ones each time. */
function nameOf({ path }: View): string {
  return path.replaceAll(/[a-z]+_[0-9a-f-]{30,}/g, '…');
}

/** Reads a conversation from its first message to its last. Returns the words of each screen, which must fit. */
async function readThread(tab: Tab): Promise<string> {
  const { page } = tab;
  const thread = page.locator('.thread');
  if ((await thread.count()) === 0) return '';
  await page.waitForFunction(isAtFirst);
  const words: string[] = [];
  for (let isAtEnd = false; !isAtEnd;) {
    await tab.settled();
    words.push(await thread.evaluate((all) => all.textContent));
    assert.deepEqual(await page.evaluate(findCut), [], 'Something of the thread is cut');
    isAtEnd = await thread.evaluate((all) => {
      const before = all.scrollTop;
      all.scrollTop += all.clientHeight * 0.8;
      return all.scrollTop === before;
    });
    await drawn(page);
  }
  return words.join('\n');
}

/** Goes upwards until a message is drawn. */
function isAtMessage(): boolean {
  const thread = document.querySelector('.thread');
  if (!thread) return false;
  if (thread.querySelector('article') !== null) return true;
  thread.scrollTop -= thread.clientHeight / 2;
  return false;
}

/** Goes to the first loaded message, whereupon the page loads earlier ones. */
function isAtFirst(): boolean {
  const thread = document.querySelector('.thread');
  if (thread) thread.scrollTop = 0;
  const isAll = document.querySelector('article:not([aria-setsize="-1"])') !== null;
  return isAll && document.querySelector('.entry[data-index="0"]') !== null;
}

async function proveWords(page: Page, { shows }: View, read: string): Promise<void> {
  let missing = shows;
  const isShown = async (): Promise<boolean> => {
    const shown = await page.locator('main').evaluate((main) => main.textContent);
    missing = shows.filter((text) => !shown.includes(text) && !read.includes(text));
    return missing.length === 0;
  };
  await until('the words of strangers', isShown).catch(() => null);
  assert.deepEqual(missing, [], 'These words of strangers are not shown as they are');
}

/** A chart is a picture, which is empty until the library has drawn it. */
async function proveDrawn(page: Page): Promise<void> {
  const chart = page.locator('.plot canvas').first();
  await chart.waitFor();
  await until('the chart to be drawn', () =>
    chart.evaluate((canvas) => {
      if (!(canvas instanceof HTMLCanvasElement)) return false;
      const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
      return [...data].some((part) => part !== 0);
    }),
  );
}
