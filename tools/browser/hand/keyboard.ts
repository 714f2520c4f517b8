import type { Locator, Page } from 'playwright-core';
import { until } from '../../demo/until.ts';
import type { Hand } from './hand.ts';

/** More than any page has between two places. */
const TABS_AT_MOST = 250;
const MIN_OUTLINE_PX = 2;
const AGAIN_AFTER_MS = 5_000;

/** Never touches the mouse: what Tab does not reach is not reached, and where the focus is must be seen. */
export function keyboard(page: Page): Hand {
  const reach = async (what: Locator): Promise<void> => {
    await what.waitFor();
    // A thread is one stop: the arrows lead to a message and to what is within it.
    const isInThread = await what.evaluate(
      (element) => element.closest('[role=log]') !== null && element.closest('dialog') === null,
    );
    for (let tabs = 0; tabs < TABS_AT_MOST; tabs += 1) {
      if (isInThread && (await page.evaluate(threadHasFocus))) return await reachInThread(page, what);
      if (await what.evaluate(hasFocus)) return await seeFocus(what);
      await page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not reach ${String(what)}.`);
  };
  return {
    name: 'keyboard',
    page,
    reach,
    press: async (what) => {
      await reach(what);
      await page.keyboard.press((await what.evaluate(isBox)) ? 'Space' : 'Enter');
    },
    write: async (field, text) => {
      await reach(field);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(text);
    },
    // The letters of what is chosen, as a person finds it in a long list.
    choose: async (list, words) => {
      await reach(list);
      await page.keyboard.type(words);
      await until(`“${words}” to be chosen`, async () => (await list.evaluate(chosenWords)) === words);
    },
    open: async (title) => {
      const current = page.getByRole('navigation', { name: 'Pages' }).locator('[aria-current]', { hasText: title });
      // The second key counts within a second of the first, which a busy machine may miss.
      await until(`the page ${title}`, async () => {
        await page.keyboard.press('g');
        await page.keyboard.press(KEYS[title] ?? '');
        return current.waitFor({ timeout: AGAIN_AFTER_MS }).then(
          () => true,
          () => false,
        );
      });
    },
  };
}

const KEYS: Readonly<Record<string, string>> = {
  Inbox: 'i',
  Connect: 'c',
  Message: 'm',
  Events: 'e',
  Agent: 'a',
  Automations: 'u',
  Workflows: 'w',
  Operations: 'o',
};

/** Enter does nothing at a checkbox. */
const isBox = (element: Element): boolean => element instanceof HTMLInputElement && element.type === 'checkbox';
const threadHasFocus = (): boolean => document.activeElement?.closest('[role=log]') != null;

async function reachInThread(page: Page, what: Locator): Promise<void> {
  const holdsFocus = (): Promise<boolean> =>
    what.evaluate((element) => document.activeElement?.closest('[role=log] .lines > *')?.contains(element) === true);
  for (let steps = 0; steps < TABS_AT_MOST && !(await holdsFocus()); steps += 1) await page.keyboard.press('ArrowUp');
  for (let steps = 0; steps < TABS_AT_MOST && !(await what.evaluate(hasFocus)); steps += 1)
    await page.keyboard.press('ArrowRight');
  await seeFocus(what);
}

const hasFocus = (element: Element): boolean => element === document.activeElement;
const chosenWords = (list: Element): string | undefined =>
  list instanceof HTMLSelectElement ? list.selectedOptions[0]?.label : undefined;

async function seeFocus(what: Locator): Promise<void> {
  const outline = await what.evaluate((element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
  });
  if (outline < MIN_OUTLINE_PX) throw new Error(`Nobody sees that ${String(what)} has the focus.`);
}
