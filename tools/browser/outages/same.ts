import { until } from '../../demo/until.ts';
import type { Place, Tab } from '../stage.ts';

const SAME_WITHIN_MS = 90_000;

/** Returns the text of the page. A relative time becomes its timestamp, because "ago" changes each moment. */
const said = (tab: Tab): Promise<string> =>
  tab.page.locator('main').evaluate((main) => {
    const copy = main.cloneNode(true);
    if (!(copy instanceof Element)) return '';
    // Forms with their drafts and results belong to this tab alone, and so do announcements of news.
    for (const own of copy.querySelectorAll('form, [role="status"]')) own.remove();
    for (const time of copy.querySelectorAll('time')) time.textContent = time.dateTime;
    return copy.textContent.replaceAll(/\s+/g, ' ');
  });

/** Waits until an old tab shows these words, and all that it shows is what a fresh one shows. */
export async function expectSame(
  old: Tab,
  fresh: Tab,
  at: { path: string; place: Place },
  words: string[],
): Promise<void> {
  let before = '';
  let now = '';
  try {
    await until(
      'both to show the same',
      async () => {
        await fresh.go(at.path, at.place);
        await fresh.settled();
        await old.settled();
        [before, now] = await Promise.all([said(old), said(fresh)]);
        return before === now && words.every((text) => before.includes(text));
      },
      SAME_WITHIN_MS,
    );
  } catch (cause) {
    throw new Error(`The old tab is not what a fresh one is, with ${words.join(', ')}:\n${before}\n${now}`, { cause });
  }
}
