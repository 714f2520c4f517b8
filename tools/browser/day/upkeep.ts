import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import { freePort } from '../../../local/embedded/port.ts';
import { violations } from '../views/axe.ts';
import { DAY_TENANT, writes } from './day.ts';
import type { Day, DayTask } from './day.ts';

const AUTOMATION = 'welcome-contact';
const PRINTER = 'The printer of the day';
const NEW = { from: '15550100204', pushName: 'Dee Roy', text: 'Hello, is anybody there?' };

const deliveriesOf = async ({ engine }: Day) => {
  const { endpoints } = await engine.webhookEndpoints.list();
  const endpointId = endpoints.find(({ description }) => description === PRINTER)?.id;
  if (endpointId === undefined) return [];
  return (await engine.webhookDeliveries.list({ endpointId })).deliveries;
};

/** The tasks of a day outside of the inbox. */
export const UPKEEP_TASKS: readonly DayTask[] = [
  {
    title: 'switches an automation on',
    async act({ page, press, open }, day) {
      await open('Automations');
      await press(page.getByRole('list', { name: 'Automations' }).locator(`a[href*="${AUTOMATION}"]`));
      await press(page.getByRole('button', { name: 'Switch on', exact: true }));
      await until('the automation', async () => {
        const { automations } = await day.engine.automations.list();
        return automations.some(({ automation, enabled }) => automation === AUTOMATION && enabled);
      });
    },
  },
  {
    title: 'sees what a run did',
    async prepare(day) {
      await writes(day, NEW);
      await until('the run', async () => (await day.engine.automations.listExecutions()).executions.length > 0);
    },
    async act({ page, press }, day) {
      const { executions } = await day.engine.automations.listExecutions();
      const run = executions[0]?.id ?? '';
      await press(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Runs' }));
      await press(page.locator(`a[href*="${run}"]`));
      await page.waitForURL((url) => url.pathname.endsWith(run));
      await page.getByRole('main').getByText('Parameters', { exact: true }).first().waitFor();
    },
  },
  {
    title: 'resends a delivery',
    async prepare(day) {
      await day.engine.webhookEndpoints.create({
        url: `http://127.0.0.1:${await freePort()}/day`,
        description: PRINTER,
        events: ['message'],
        tenantIds: [DAY_TENANT],
        retryLadderMs: [50],
      });
      await writes(day, { ...NEW, text: 'Print this, please.' });
      await until('a delivery that has used up its attempts', async () =>
        (await deliveriesOf(day)).some(({ status }) => status === 'failed'),
      );
    },
    async act({ page, press, open }, day) {
      const [delivery] = await deliveriesOf(day);
      assert.ok(delivery);
      await open('Events');
      await press(page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name: 'Deliveries' }));
      await press(page.locator(`a[href*="/events/deliveries/${delivery.id}?"]`).first());
      await press(page.getByRole('button', { name: 'Resend', exact: true }));
      await until('another attempt', async () => {
        const now = (await deliveriesOf(day)).find(({ id }) => id === delivery.id);
        return now !== undefined && now.attempts > delivery.attempts;
      });
    },
  },
  {
    title: 'reads the console in German, and in English again',
    async act({ page, reach, open }) {
      const isIn = (language: string): Promise<void> =>
        until(`the console in ${language}`, () =>
          page.evaluate((wanted) => document.documentElement.lang === wanted, language).catch(() => false),
        ).then(() => undefined);
      await open('Inbox');
      await page.keyboard.press('?');
      await reach(page.getByRole('dialog').getByLabel('Language'));
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('d');
      await isIn('de');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('?');
      await reach(page.getByRole('dialog').getByLabel('Sprache'));
      await page.keyboard.press('Home');
      await isIn('en');
      await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor();
    },
  },
];
