import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { call } from '../../support/client.ts';
import { aSender, somebody } from '../sending/a-sender.ts';
import { Browser } from './browser.ts';

const api = await apiOfThisFile('console-link-names');
const acme = await aSender(api, 'acme');
const LINKS = '/api/v1/console/links';
const link = { tenantId: 't1', pages: ['inbox'], readOnly: false, scopes: ['read', 'send'] };

const opened = async (name: string): Promise<Browser> => {
  const made = await call(api, 'POST', LINKS, { key: acme.dashboardKey, body: { ...link, name } });
  const ticket = new URL(z.url().parse(made.body['url'])).hash.replace('#ticket=', '');
  const browser = new Browser(api);
  expect((await browser.ask('POST', '/console/session', { ticket })).status).toBe(200);
  return browser;
};

describe('the holder of a link', () => {
  const asAda = { 'x-engine-actor': 'Ada' };

  it('acts under the name of the link, whatever name the request gives', async () => {
    const guest = await opened('  Guest ');
    const { conversationId } = await acme.send({ to: somebody(), text: 'Hello' });
    const of = `/api/v1/conversations/${conversationId}`;
    const note = { conversationId, text: 'A note' };
    expect((await guest.ask('POST', '/api/v1/notes', { ...note, author: 'Ada' }, asAda)).body).toMatchObject({
      author: 'Guest',
    });
    const shown = { viewerId: 'a', name: 'Ada', state: 'reading' };
    expect((await guest.ask('PUT', `${of}/viewers`, shown, asAda)).body).toMatchObject({
      viewers: [{ name: 'Guest' }],
    });
    expect((await guest.ask('POST', `${of}/assign`, { assignee: 'Bo', actor: 'Ada' }, asAda)).status).toBe(200);
    expect((await guest.ask('POST', `${of}/release`, {}, asAda)).status).toBe(200);
    expect((await acme.get(of)).body).toMatchObject({
      handovers: [{ actor: 'Guest' }, { actor: 'Guest', assignedTo: 'Bo' }],
    });
    const { body } = await call(api, 'GET', '/api/v1/audit?object=note', { key: acme.dashboardKey });
    expect(body['entries']).toMatchObject([{ actor: 'Guest' }]);
  });

  it('has a name that is not blank', async () => {
    const refused = await call(api, 'POST', LINKS, { key: acme.dashboardKey, body: { ...link, name: '  ' } });
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/name' }] } });
  });
});
