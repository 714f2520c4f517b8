import assert from 'node:assert/strict';
import type { Browser, Locator } from 'playwright-core';
import { ENVIRONMENT, REGISTER } from '../../../bin/screen/first-steps.ts';
import type { Report } from '../report.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab } from '../stage.ts';

const AGENCY = 'branches';
const TENANTS = ['north', 'south'] as const;

/** Checks the choice of the shown data: from an engine without agencies to an agency of several tenants. */
export async function proveChoice(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const operator = await Tab.open(browser, scene, { key: await scene.masterKey() });
  await report.prove('where no dashboard is registered every page says what does it', operator, async () => {
    const { page } = operator;
    const list = '**/api/v1/admin/dashboards?*';
    await page.route(list, (route) => route.fulfill({ json: { dashboards: [], hasMore: false, nextCursor: null } }));
    await operator.go('/inbox', {});
    for (const name of ['Connect', 'Agent', 'Events', 'Inbox']) {
      await page.getByRole('navigation').first().getByRole('link', { name }).click();
      await page.getByText('No dashboard is registered yet.').waitFor();
    }
    const block = page.getByRole('region', { name: 'Commands to register a dashboard' });
    assert.ok((await block.innerText()).includes(`${ENVIRONMENT}\n${REGISTER}`), 'The block of the README is there.');
    await page.unroute(list);
    await page.getByText('No dashboard is registered yet.').waitFor({ state: 'detached' });
  });
  await operator.close();

  const key = await scene.register(AGENCY, 'Branches');
  for (const [who, given] of Object.entries({ dashboard: key, operator: await scene.masterKey() })) {
    const tab = await Tab.open(browser, scene, { key: given });
    await report.prove(`who sees several tenants moves between them: ${who}`, tab, async () => {
      const { page } = tab;
      await tab.go('/inbox', who === 'operator' ? { agency: AGENCY } : {});
      if (who === 'dashboard') await page.getByRole('link', { name: 'Connect one' }).click();
      for (const tenant of TENANTS) {
        await page.getByRole('navigation').first().getByRole('link', { name: 'Connect' }).click();
        await page.getByRole('button', { name: 'Connect an account' }).click();
        const form = page.getByRole('dialog', { name: 'Connect an account' });
        await form.getByLabel('Tenant').fill(tenant);
        await form.getByRole('button', { name: 'Show the code' }).click();
        await page.getByRole('region', { name: 'Status' }).getByText(tenant, { exact: true }).waitFor();
        assert.equal(await page.locator('.problem').count(), 0);
      }
      await page.getByRole('navigation').first().getByRole('link', { name: 'Connect' }).click();
      const choice = page.locator('header').getByLabel('Tenant');
      const shown = page.getByRole('table', { name: 'Accounts' }).locator('tbody');
      for (const [tenant, seen] of [
        ['north', ['north']],
        ['south', ['south']],
        ['', TENANTS],
      ] as const) {
        await choice.selectOption(tenant);
        await untilShown(shown, seen);
      }
      await shown.getByRole('link').first().click();
      await page
        .getByRole('region', { name: 'Status' })
        .getByText(/^(north|south)$/)
        .waitFor();
      assert.equal(await page.locator('.problem').count(), 0);
    });
    await tab.close();
  }
}

/** Waits until the list is of these tenants and of no other. */
async function untilShown(rows: Locator, tenants: readonly string[]): Promise<void> {
  for (const tenant of TENANTS) {
    const row = rows.getByRole('row').filter({ hasText: `_${tenant}` });
    await row.first().waitFor({ state: tenants.includes(tenant) ? 'visible' : 'detached' });
  }
}
