import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { WIDE_SCREEN } from '../stage.ts';
import type { Tab } from '../stage.ts';
import { violations } from './axe.ts';
import { findCut } from './layout.ts';

/** The ways in which a person sees it. At 200 % the screen has half as many pixels each way. */
const LOOKS = [
  { name: 'wide', size: WIDE_SCREEN, colorScheme: 'light', isForAxe: true },
  { name: 'at 200 %, dark', size: { width: 640, height: 430 }, colorScheme: 'dark', isForAxe: false },
  { name: 'on a phone, dark', size: { width: 390, height: 800 }, colorScheme: 'dark', isForAxe: true },
] as const;

/** Looks at the page as it stands, in each way in which people look at one. */
export async function proveLooks(tab: Tab): Promise<void> {
  const { page } = tab;
  for (const { name, size, colorScheme, isForAxe } of LOOKS) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await tab.settled();
    await drawn(page);
    assert.deepEqual(await page.evaluate(findCut), [], `Something is cut ${name}`);
    if (isForAxe) assert.deepEqual(await violations(page), [], `axe-core complains, ${name}`);
  }
}

/** Parts that follow the size of the window are in place a frame later. */
export async function drawn(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((next) => requestAnimationFrame(next));
  });
}
