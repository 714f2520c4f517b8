import assert from 'node:assert/strict';
import type { Browser, Page } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { makeStorm, STORM } from '../scene/storm.ts';
import { inAgency, Tab, WIDE_SCREEN } from '../stage.ts';
import { proveLanguages } from './languages.ts';
import { proveLooks } from './looks.ts';
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
      await showAll(tab);
      await proveWords(tab.page, view);
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

/** A click that comes while the first page is on its way counts, and its page stays when that one is there. */
async function proveEarlierMeanwhile(tab: Tab, conversation: string): Promise<void> {
  const { page } = tab;
  await tab.go(`/inbox/${conversation}`, inAgency(STORM));
  await tab.settled();
  const isFirstPage = (url: URL): boolean => url.pathname.endsWith('/messages') && !url.searchParams.has('cursor');
  const gate = Promise.withResolvers<void>();
  await page.route(isFirstPage, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const hasMore = (count: number): boolean => document.querySelectorAll('article').length > count;
  const before = await page.getByRole('article').count();
  try {
    // The page looks for messages from the phone every two seconds.
    await page.waitForRequest((request) => isFirstPage(new URL(request.url())));
    await page.getByRole('button', { name: 'Show earlier messages' }).click();
    await page.waitForFunction(hasMore, before);
  } finally {
    gate.resolve();
  }
  await tab.settled();
  await page.unroute(isFirstPage);
  assert.ok(await page.evaluate(hasMore, before), 'The earlier messages were lost');
}

/** Without the ids, which are other ones each time. */
function nameOf({ path }: View): string {
  return path.replaceAll(/[a-z]+_[0-9a-f-]{30,}/g, '…');
}

/** Opens what is folded, and reads to the beginning of a conversation. */
async function showAll(tab: Tab): Promise<void> {
  const { page } = tab;
  const earlier = page.getByRole('button', { name: 'Show earlier messages' });
  while (await earlier.isVisible()) {
    const before = await page.getByRole('article').count();
    await earlier.click();
    await page.waitForFunction((count) => document.querySelectorAll('article').length > count, before);
    await tab.settled();
  }
}

async function proveWords(page: Page, { shows }: View): Promise<void> {
  let missing = shows;
  const isShown = async (): Promise<boolean> => {
    missing = await page
      .locator('main')
      .evaluate((main, texts) => texts.filter((text) => !main.textContent.includes(text)), shows);
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
