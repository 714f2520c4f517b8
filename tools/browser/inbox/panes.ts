import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { Report } from '../report.ts';
import { WIDE_SCREEN } from '../stage.ts';
import type { Tab } from '../stage.ts';

const LAPTOP = { width: 1280, height: 720 };
const PHONE = { width: 390, height: 844 };
/** A chat that is no more, to which a sent link may still lead. */
const ERASED = 'cnv_019a8f3e-7c00-7000-8000-000000000006';
/** The part of a laptop's height that is for what people said. */
const MIN_THREAD = 0.7;
/** Chromium calls a page steady up to 0.1. */
const MAX_SHIFT = 0.02;
const PANES = { list: '.chats', chat: '.conversation', person: '.person' } as const;

interface Chat {
  tenant: string;
  /** The words of the chat that is opened. */
  opens: string;
}

/** Three panes have the whole of a laptop; a phone shows one of them, and the field to answer in. */
export async function provePanes(tab: Tab, report: Report, { tenant, opens }: Chat): Promise<void> {
  const { page } = tab;
  await report.prove(
    'messages have 70 % of a laptop beside the list and the person, and nothing jumps',
    tab,
    async () => {
      await page.setViewportSize(LAPTOP);
      await tab.go('/inbox', { tenant });
      await page.locator('a.chat', { hasText: opens }).click();
      await page.getByRole('log').getByText(opens, { exact: true }).waitFor();
      await tab.settled();
      assert.deepEqual(await shown(page), ['list', 'chat', 'person']);
      const threadPx = await heightOf(page, '.thread');
      assert.ok(threadPx >= MIN_THREAD * LAPTOP.height, `Messages have ${threadPx} of ${LAPTOP.height} px.`);
      const before = await shift(page);
      await page.getByLabel('Your message').fill('I do.');
      await page.getByText('Will be sent now').waitFor();
      assert.equal(await heightOf(page, '.thread'), threadPx, 'What is written moves the messages.');
      await page.getByLabel('Your message').fill('');
      await page.reload();
      await page.getByRole('log').getByText(opens, { exact: true }).waitFor();
      await tab.settled();
      const shifts = [before, await shift(page)];
      report.say(`  ${threadPx} of ${LAPTOP.height} px for messages; shifts ${shifts.join(' and ')}`);
      assert.ok(Math.max(...shifts) <= MAX_SHIFT, `The page jumps: ${shifts.join(', ')}`);
    },
  );

  await report.prove('a phone shows one pane, and below the messages the field to answer in', tab, async () => {
    await page.setViewportSize(PHONE);
    assert.deepEqual(await shown(page), ['chat']);
    const field = await page.getByLabel('Your message').boundingBox();
    const send = await page.getByRole('button', { name: 'Send', exact: true }).boundingBox();
    for (const box of [field, send])
      assert.ok(box && box.y > 0 && box.y + box.height <= PHONE.height, `It is off the screen: ${JSON.stringify(box)}`);
    await page.getByRole('link', { name: 'Person' }).click();
    assert.deepEqual(await shown(page), ['person']);
    await page.getByRole('link', { name: 'Conversation', exact: true }).click();
    assert.deepEqual(await shown(page), ['chat']);
    await page.getByRole('link', { name: 'All conversations' }).click();
    await page.locator('a.chat', { hasText: opens }).waitFor();
    assert.deepEqual(await shown(page), ['list']);
    await tab.go(`/inbox/${ERASED}?pane=person`, { tenant });
    await page.locator('.person').getByRole('alert').waitFor();
    assert.deepEqual(await shown(page), ['person']);
    await page.getByRole('link', { name: 'Conversation', exact: true }).click();
    assert.deepEqual(await shown(page), ['chat']);
    await page.setViewportSize(WIDE_SCREEN);
  });
}

async function shown(page: Page): Promise<string[]> {
  const seen: string[] = [];
  for (const [name, selector] of Object.entries(PANES))
    if (await page.locator(selector).filter({ visible: true }).count()) seen.push(name);
  return seen;
}

const heightOf = (page: Page, selector: string): Promise<number> =>
  page.locator(selector).evaluate((element) => Math.round(element.getBoundingClientRect().height));

/** Adds up the shifts that nobody has asked for since the page was loaded. */
const shift = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((tell) => {
        new PerformanceObserver((list) => {
          const moves = list.getEntries().map((entry) => ({ value: 0, hadRecentInput: false, ...entry.toJSON() }));
          const unasked = moves.filter(({ hadRecentInput }) => !hadRecentInput);
          tell(unasked.reduce((sum, { value }) => sum + value, 0));
        }).observe({ type: 'layout-shift', buffered: true });
        // Without a single shift the observer is never called.
        setTimeout(() => tell(0), 500);
      }),
  );
