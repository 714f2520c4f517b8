import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { PEOPLE } from '../../sandbox/people.ts';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';

describe('what the sandbox says about itself', () => {
  let sandbox: ASandbox;

  beforeEach(async () => {
    sandbox = await aSandbox({ engine: 'GOWS' });
  });

  afterEach(() => sandbox.close());

  it('its page says without a key that it is a simulation and lists every magic number', async () => {
    const page = await fetch(sandbox.url);
    const text = await page.text();
    expect(page.headers.get('x-sandbox')).toBe('simulation');
    expect(text).toContain('This is a simulation');
    for (const digits of Object.keys(PEOPLE)) expect(text).toContain(`…${digits}`);
  });

  it('its version is the followed release, its tier is SANDBOX, and its environment shows the key', async () => {
    const version = await sandbox.get('/api/server/version');
    expect(version.json()).toMatchObject({ version: '2026.7.1', engine: 'GOWS', tier: 'SANDBOX' });
    expect((await sandbox.get('/api/server/environment')).text).toContain('key-of-the-test');
  });

  it('it lists its routes in the form of the OpenAPI document', async () => {
    const routes = await sandbox.get('/sandbox/routes');
    expect(routes.json()).toContainEqual({ method: 'PUT', path: '/api/{session}/labels/chats/{chatId}' });
  });
});
