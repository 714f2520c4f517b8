import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { CreateConsoleLink } from '../../../packages/typescript/src/index.ts';
import type { Report } from '../report.ts';
import { TENANT } from '../scene/scene.ts';
import type { Scene } from '../scene/scene.ts';
import { Tab } from '../stage.ts';
import { proveLooks } from '../views/looks.ts';

const PHONE = '15550100142';
const ASKED = 'Is anybody there?';
/** A picture of one point. */
const LOGO = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** Checks the pages of people who came by a link. */
export async function proveLinks(browser: Browser, scene: Scene, report: Report): Promise<void> {
  const { consoleLinks, messages, sessions, webhookEndpoints } = scene.engine;
  const linkTo = async (link: Partial<CreateConsoleLink>): Promise<string> =>
    (await consoleLinks.create({ name: 'Ada', ...link })).url;
  const session = await sessions.readStatus();
  await scene.sandbox.personWrites(session.name, PHONE, ASKED);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  await messages.send({ to: PHONE, text: 'See you tomorrow.', sendAt });

  const inbox = await Tab.open(browser, scene);
  await report.prove('who came by a link to the inbox answers there, and finds no other page', inbox, async () => {
    const { page } = inbox;
    await page.goto(await linkTo({ pages: ['inbox'], readOnly: false }));
    await page.locator('a.chat', { hasText: ASKED }).click();
    await page.getByRole('button', { name: 'Take over' }).click();
    await page.getByText('Ada answers').waitFor();
    await page.getByText('1 message is scheduled').waitFor();
    await page.getByLabel('Your message').fill('Yes, Ada is.');
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page.getByRole('article', { name: 'From you' }).filter({ hasText: 'Yes, Ada is.' }).waitFor();
    await inbox.settled();
    assert.deepEqual(await menuOf(inbox), ['Inbox']);
    await proveLooks(inbox);
  });
  await inbox.close();

  const account = await Tab.open(browser, scene);
  await report.prove('a customer looks at their account by a link, and can change nothing', account, async () => {
    await account.page.goto(await linkTo({ pages: ['connect'], sessionId: session.id }));
    await account.page.getByRole('row').filter({ hasText: 'Connected' }).getByRole('link').click();
    await account.page.getByRole('heading', { name: 'Status' }).waitFor();
    await account.settled();
    assert.equal(await account.page.locator('.problem').count(), 0);
    assert.equal(await account.page.locator('main').getByRole('button').filter({ hasText: 'Log out' }).count(), 0);
    await proveLooks(account);
  });
  await account.close();

  const { id: endpointId } = await webhookEndpoints.create({
    url: 'http://127.0.0.1:9/portal',
    // The holder of a link sees the secret, so the endpoint serves this tenant alone.
    tenantIds: [TENANT],
  });
  await webhookEndpoints.test(endpointId, { event: 'endpoint.test' });
  await scene.engine.brand.update({ colour: '#7a1f5c', logo: LOGO });
  const portal = await Tab.open(browser, scene);
  await report.prove(
    'who runs a receiver sees their endpoint, its deliveries and attempts by a link',
    portal,
    async () => {
      const { page } = portal;
      await page.goto(await linkTo({ endpointId, readOnly: false }));
      await page.getByRole('heading', { level: 1, name: 'Your endpoint' }).waitFor();
      await page.getByRole('button', { name: 'Send test event' }).waitFor();
      await page.getByText('0 % accepted', { exact: true }).waitFor();
      // A link to one endpoint opens no stream, which is no outage.
      assert.match(await page.locator('.live-state').innerText(), /^Reads every 5 s$/);
      assert.ok(await page.locator('.brand img').evaluate(isLoaded), 'The logo is not shown.');
      await proveLooks(portal);
      await page.getByRole('link', { name: 'Attempts' }).first().click();
      await portal.settled();
      assert.equal(await page.locator('.problem').count(), 0);
      await proveLooks(portal);
    },
  );
  await portal.close();
  await scene.engine.brand.update({ colour: null, logo: null });
  await webhookEndpoints.delete(endpointId);
}

const isLoaded = (picture: Element): boolean => picture instanceof HTMLImageElement && picture.naturalWidth > 0;

const menuOf = (tab: Tab): Promise<string[]> =>
  tab.page.getByRole('navigation').first().getByRole('link').allInnerTexts();
