import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab } from '../stage.ts';

/** Buttons that need a key with more scopes: the agent of all sessions, automations, endpoints of the agency. */
const DEEDS_OF_OTHERS = /^(Save|Switch o|Take over all|Rehearse$|New endpoint|Connect an account|Resend|Set for all)/;

/** Whoever has the key of one session opens every page and meets no refusal, and no deed that ends in one. */
export async function proveSessionKey(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const { id, apiKey } = await scene.engine.apiKeys.create({
    name: 'of one session',
    // Without names it would have the agent, too, while its tenant has one session.
    scopes: ['send', 'read', 'sessions', 'passthrough'],
  });
  const tab = await Tab.open(browser, scene, { key: apiKey });
  await report.prove("the key of a session opens no page that refuses, and no deed of another's", tab, async () => {
    const { page } = tab;
    const refused: string[] = [];
    page.on('response', (answer) => {
      if (answer.status() >= 400) refused.push(`${answer.status()} ${answer.url()}`);
    });
    await tab.go('/inbox', {});
    const pages = page.getByRole('navigation', { name: 'Pages' });
    for (const name of await pages.getByRole('link').allInnerTexts()) {
      await open(pages.getByRole('link', { name, exact: true }));
      await tab.settled();
      const views = page.getByRole('navigation', { name: 'Views' });
      for (const view of await views.getByRole('link').allInnerTexts()) {
        await open(views.getByRole('link', { name: view, exact: true }));
        await tab.settled();
        const deeds = await page.locator('main').getByRole('button').allInnerTexts();
        assert.deepEqual(
          deeds.filter((deed) => DEEDS_OF_OTHERS.test(deed)),
          [],
          `${name}, ${view}`,
        );
      }
    }
    assert.deepEqual(refused, []);
  });
  await tab.close();
  await scene.engine.apiKeys.revoke(id);
}

/** Waits, too, until it is the page or view that is shown: the one before has other links. */
async function open(link: Locator): Promise<void> {
  await link.click();
  await link.and(link.page().locator('[aria-current]')).waitFor();
}
