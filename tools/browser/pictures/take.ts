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
const SIZE = { width: 1120, height: 720 };
const ANSWER = 'Yes, it is! Shall I keep it for you until Saturday?';
const MAX_BYTES = 60_000;

/** Makes the pictures of the guides, with the walk from the first link to an answered customer. */
export async function takePictures(browser: Browser, scene: Scene, report: Report): Promise<void> {
  await mkdir(DIRECTORY, { recursive: true });
  const shop = await makeShop(scene);
  const tab = await Tab.open(browser, scene, { viewport: SIZE });
  const { page } = tab;
  const take = async (name: string): Promise<void> => {
    await tab.settled();
    const { size } = await sharp(await page.screenshot())
      .png({ palette: true, colours: 64, effort: 10, compressionLevel: 9 })
      .toFile(join(DIRECTORY, `console-${name}.png`));
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
    await page.getByRole('button', { name: 'Save' }).click();
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
    connect: `/connect/${shop.session}`,
    message: `/message/${shop.failed}`,
    events: `/events/endpoints/${shop.endpoint}`,
    agent: `/agent/rehearse?rehearsal=${shop.rehearsal}`,
    automations: '/automations/all/welcome-contact',
    operations: '/operations/load',
  };
  for (const [name, path] of Object.entries(views))
    await report.prove(`a picture of ${name}`, tab, async () => {
      await tab.go(path, inAgency());
      await tab.settled();
      if (name === 'agent') await page.getByRole('heading', { name: 'Side by side' }).scrollIntoViewIfNeeded();
      await take(name);
    });
  await tab.close();
}
