import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab, WIDE_SCREEN } from '../stage.ts';
import { violations } from './axe.ts';

const LOOKS = [
  { size: WIDE_SCREEN, colorScheme: 'light' },
  { size: { width: 390, height: 800 }, colorScheme: 'dark' },
] as const;
/** A busy machine draws 246 operations in a minute. */
const DRAWN = { timeout: 120_000 };

/** Proves that people can read the API reference, which swagger-ui draws with its own words and colours. */
export async function proveReference(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const tab = await Tab.open(browser, scene);
  const { page } = tab;
  for (const { size, colorScheme } of LOOKS)
    await report.prove(`everybody can read the API reference, ${colorScheme}, ${size.width} px wide`, tab, async () => {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      await page.goto(`${scene.url}/docs/api`);
      await page.locator('.opblock-summary-control', { hasText: 'Send a message' }).first().click(DRAWN);
      await page.locator('.opblock-body .responses-wrapper').waitFor();
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= size.width, `The reference is ${width} px wide.`);
      assert.deepEqual(await violations(page), []);
    });
  await tab.close();
}
