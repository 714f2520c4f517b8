import assert from 'node:assert/strict';
import { until } from '../../demo/until.ts';
import { TENANT } from '../scene/scene.ts';
import type { Task } from './task.ts';

export const connect: Task = {
  title: 'connects an account by its QR code',
  from: '/inbox',
  async act({ name: hand, page, ...does }, { sandbox, engine }) {
    const name = `by-${hand}`;
    await does.open('Connect');
    await does.press(page.getByRole('button', { name: 'Connect an account' }));
    const form = page.getByRole('dialog', { name: 'Connect an account' });
    await does.write(form.getByLabel('Tenant'), TENANT);
    await does.write(form.getByLabel('Name'), name);
    await does.press(form.getByRole('button', { name: 'Show the code' }));
    const code = page.getByRole('img', { name: 'QR code' });
    await code.waitFor();
    const width = () => code.evaluate((image) => (image instanceof HTMLImageElement ? image.naturalWidth : 0));
    await until('the code to be a picture that a phone can read', async () => (await width()) > 100);
    await sandbox.account(name, 'scan');
    await page.getByRole('region', { name: 'Status' }).getByText('Connected', { exact: true }).waitFor();
    await code.waitFor({ state: 'detached' });
    const made = (await engine.sessions.list()).find((session) => session.name === name);
    assert.equal(made?.status, 'WORKING');
  },
};
