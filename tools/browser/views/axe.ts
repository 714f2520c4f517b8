import axe from 'axe-core';
import type { Page } from 'playwright-core';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SHOWN = 4;

/** Lists what keeps people from using the page, by the rules of axe-core. */
export async function violations(page: Page): Promise<string[]> {
  // The page's policy allows no script of others; what the browser's debugger runs is not under it.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  const found = await page.evaluate(async (tags) => {
    const { violations: all } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] });
    return all.map(({ id, help, nodes }) => ({
      id,
      help,
      at: nodes.map(({ html, failureSummary }) => `${html} ${failureSummary ?? ''}`),
    }));
  }, TAGS);
  return found.map(({ id, help, at }) => `${id} (${help}), ${at.length} times:\n${at.slice(0, SHOWN).join('\n')}`);
}
