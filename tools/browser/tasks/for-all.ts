import { until } from '../../demo/until.ts';
import type { Task } from './task.ts';

const AUTOMATION = 'nudge-unread';

export const forAll: Task = {
  title: 'sets an automation for all tenants, and has this one follow',
  from: '/inbox',
  async prepare({ engine }) {
    await engine.automations.set(AUTOMATION, { enabled: false, params: { afterHours: 48 } });
  },
  async act({ page, ...does }, { engine }) {
    await does.open('Automations');
    await does.press(page.locator(`a[href*="${AUTOMATION}"]`));
    const place = page.getByRole('region', { name: 'For all tenants' });
    await does.press(place.getByRole('button', { name: 'Set for all tenants …' }));
    await does.press(page.getByRole('dialog').getByRole('button', { name: 'Set for all' }));
    await until('the default', async () => {
      const { defaults } = await engine.automations.listDefaults();
      return defaults.some(({ automation, params }) => automation === AUTOMATION && params['afterHours'] === 48);
    });
    await does.press(place.getByRole('button', { name: 'Use the agency’s settings …' }));
    await does.press(page.getByRole('dialog').getByRole('button', { name: 'Use them' }));
    await place.getByText('These are the settings of the agency').waitFor();
  },
};
