import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { inAgency, Tab } from '../stage.ts';
import { makeShop } from './shop.ts';

const DIRECTORY = fileURLToPath(new URL('../../../docs/images/', import.meta.url));
/** The looks of a page. The first is the one of the guides, and its pictures have no look in their names. */
const LOOKS = [
  { size: { width: 1280, height: 720 }, colorScheme: 'light' },
  { size: { width: 1280, height: 720 }, colorScheme: 'dark' },
  { size: { width: 1440, height: 900 }, colorScheme: 'light' },
  { size: { width: 1440, height: 900 }, colorScheme: 'dark' },
  { size: { width: 390, height: 844 }, colorScheme: 'light' },
  { size: { width: 390, height: 844 }, colorScheme: 'dark' },
] as const;
const ANSWER = 'Yes, it is! Shall I keep it for you until Saturday?';
const MAX_BYTES = 90_000;
/** Everybody who copies the repository copies them. */
const MAX_TOTAL_BYTES = 3_000_000;

/** Makes the pictures of the guides, with the walk from the first link to an answered customer. */
export async function takePictures(browser: Browser, scene: Scene, report: Report): Promise<void> {
  await mkdir(DIRECTORY, { recursive: true });
  const shop = await makeShop(scene);
  const tab = await Tab.open(browser, scene, { viewport: LOOKS[0].size });
  const { page } = tab;
  let total = 0;
  const take = async (name: string): Promise<void> => {
    await tab.settled();
    const { size } = await sharp(await page.screenshot())
      .png({ palette: true, colours: 64, effort: 10, compressionLevel: 9 })
      .toFile(join(DIRECTORY, `console-${name}.png`));
    total += size;
    if (size > MAX_BYTES) throw new Error(`console-${name}.png has ${size} bytes.`);
    report.say(`console-${name}.png, ${size} bytes`);
  };
  await report.prove('the walk from the first link to an answered customer', tab, async () => {
    await page.goto(scene.firstLink);
    await page.locator('a.chat', { hasText: 'Ada' }).waitFor();
    await take('walk-1');
    await page.locator('a.chat', { hasText: 'Ada' }).click();
    await page
      .getByText(/The agent answered/)
      .first()
      .waitFor();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByLabel('Your name').fill('Maria');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Maria answers').waitFor();
    await page.getByRole('button', { name: 'Give back' }).waitFor();
    await page.getByLabel('Your message').fill(ANSWER);
    await page.locator('.said p').waitFor({ state: 'hidden' });
    await take('walk-2');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    const mine = page.getByRole('article', { name: 'From you' }).filter({ hasText: ANSWER });
    await mine.getByRole('link', { name: /^Read/ }).waitFor();
    await take('walk-3');
  });
  const views = {
    inbox: `/inbox/${shop.conversation}`,
    connect: `/connect/${shop.session}`,
    message: `/message/${shop.failed}`,
    events: `/events/endpoints/${shop.endpoint}`,
    agent: `/agent/rehearse?rehearsal=${shop.rehearsal}`,
    automations: '/automations/all/welcome-contact',
    workflows: `/workflows/${shop.workflow}`,
    operations: '/operations/load',
  };
  for (const [name, path] of Object.entries(views))
    await report.prove(`pictures of ${name}`, tab, async () => {
      for (const { size, colorScheme } of LOOKS) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme });
        await tab.go(path, inAgency());
        await tab.settled();
        if (name === 'workflows') await page.getByRole('button', { name: 'Try', exact: true }).click();
        if (name === 'workflows') await page.locator('.picture').waitFor();
        if (name === 'agent') await page.getByRole('heading', { name: 'Side by side' }).scrollIntoViewIfNeeded();
        const isOfGuides = size.width === LOOKS[0].size.width && colorScheme === LOOKS[0].colorScheme;
        await take(isOfGuides ? name : `${name}-${size.width}-${colorScheme}`);
      }
    });
  report.say(`${total} bytes in all`);
  if (total > MAX_TOTAL_BYTES) throw new Error(`All pictures together have ${total} bytes.`);
  await tab.close();
}
