import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { anAgency, call } from '../../support/client.ts';
import { MASTER_KEY } from '../../support/keys.ts';
import { addRow } from '../../support/rows.ts';
import { aDashboardKey } from '../console/made-credentials.ts';

const api = await apiOfThisFile('canned-answers');
const ours = await anAgency(api, { agencyId: 'ours' });
const full = await anAgency(api, { agencyId: 'full' });
const others = await anAgency(api, { agencyId: 'others' });
const PATH = '/api/v1/canned-answers';

const set = (shortcut: string, text: string, key = ours.dashboardKey) =>
  call(api, 'PUT', `${PATH}/${shortcut}`, { key, body: { text } });
const list = (key = ours.dashboardKey, query = '') => call(api, 'GET', `${PATH}${query}`, { key });
const drop = (shortcut: string, key = ours.dashboardKey) => call(api, 'DELETE', `${PATH}/${shortcut}`, { key });
const Listed = z.object({ cannedAnswers: z.array(z.object({ shortcut: z.string(), text: z.string() })) });
const shortcutsOf = async (key = ours.dashboardKey) =>
  Listed.parse((await list(key)).body).cannedAnswers.map(({ shortcut }) => shortcut);

describe('canned answers', () => {
  it('are set, listed by their shortcut, replaced and deleted', async () => {
    const text = 'Hello {first_name},\nwe are open from nine to six.';
    const hours = await set('Hours', text);
    expect(hours).toMatchObject({ status: 200, body: { shortcut: 'hours', text, updatedAt: expect.any(String) } });
    await set('bank', 'Our account is 123.');
    expect((await list()).body).toMatchObject({
      cannedAnswers: [
        { shortcut: 'bank', text: 'Our account is 123.' },
        { shortcut: 'hours', text },
      ],
      hasMore: false,
      nextCursor: null,
    });
    await set('BANK', 'Our account is 456.');
    expect((await list()).body).toMatchObject({ cannedAnswers: [{ text: 'Our account is 456.' }, { text }] });
    expect((await drop('bank')).status).toBe(204);
    expect(await shortcutsOf()).toEqual(['hours']);
    expect((await drop('bank')).body).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('are listed in pages', async () => {
    for (const shortcut of ['page-1', 'page-2', 'page-3']) await set(shortcut, 'A page');
    const first = await list(ours.dashboardKey, '?limit=2');
    expect(first.body).toMatchObject({ hasMore: true });
    const second = await list(ours.dashboardKey, `?limit=100&cursor=${String(first.body['nextCursor'])}`);
    const both = [first, second].flatMap(({ body }) => Listed.parse(body).cannedAnswers);
    expect(both.map(({ shortcut }) => shortcut)).toEqual(await shortcutsOf());
  });

  it('are recorded in the audit without their text', async () => {
    await set('thanks', 'Thank you!');
    await set('thanks', 'Thank you very much!');
    await drop('thanks');
    const { body } = await call(api, 'GET', '/api/v1/audit?object=canned_answer&objectId=thanks', {
      key: ours.dashboardKey,
    });
    const entry = { object: 'canned_answer', objectId: 'thanks', tenantId: 't1', detail: null };
    expect(body['entries']).toMatchObject([
      { ...entry, action: 'deleted' },
      { ...entry, action: 'changed' },
      { ...entry, action: 'created' },
    ]);
  });

  it('need a shortcut of letters and digits, and a text', async () => {
    expect((await set('two%20words', 'Hello')).body).toMatchObject({ code: 'invalid_request' });
    expect((await set('empty', ' \n')).body).toMatchObject({ errors: [{ pointer: '/text' }] });
    expect((await set('long', 'a'.repeat(4_097))).body).toMatchObject({ errors: [{ pointer: '/text' }] });
  });

  it('are at most 500, and those that exist can still be changed', async () => {
    const rows = Array.from({ length: 500 }, (_, n) => ({ shortcut: `n${n}`, text: 'Hello' }));
    for (const row of rows) await addRow(api.database, 'cannedAnswer', { agencyId: 'full', tenantId: 't1', ...row });
    expect((await set('one-more', 'Hello', full.dashboardKey)).body).toMatchObject({
      status: 422,
      errors: [{ pointer: 'path/shortcut' }],
    });
    expect((await set('n7', 'Good evening', full.dashboardKey)).status).toBe(200);
  });

  it('belong to one tenant: the same shortcut of another one is another answer', async () => {
    await set('ours', 'Ours');
    expect(await shortcutsOf(others.dashboardKey)).toEqual([]);
    expect((await drop('ours', others.dashboardKey)).status).toBe(404);
    await set('ours', 'Theirs', others.dashboardKey);
    const query = '?agencyId=ours&tenantId=t1&limit=100';
    expect(Listed.parse((await list(MASTER_KEY, query)).body).cannedAnswers).toContainEqual(
      expect.objectContaining({ shortcut: 'ours', text: 'Ours' }),
    );
    expect((await list(others.dashboardKey, '?agencyId=ours')).status).toBe(404);
  });

  it('belong to one tenant also within an agency', async () => {
    const { dashboardKey: key } = await anAgency(api, { agencyId: 'two' });
    await call(api, 'PUT', '/api/v1/tenants/t2/settings', { key, body: {} });
    const put = (tenantId: string, shortcut: string) =>
      call(api, 'PUT', `${PATH}/${shortcut}`, { key, body: { text: `Of ${tenantId}`, tenantId } });
    const textsOf = async (tenantId: string) =>
      Listed.parse((await list(key, `?tenantId=${tenantId}`)).body).cannedAnswers.map(({ text }) => text);
    expect([(await put('t1', 'both')).status, (await put('t2', 'both')).status]).toEqual([200, 200]);
    expect([await textsOf('t1'), await textsOf('t2')]).toEqual([['Of t1'], ['Of t2']]);
    expect((await call(api, 'DELETE', `${PATH}/both?tenantId=t2`, { key })).status).toBe(204);
    expect([await textsOf('t1'), await textsOf('t2')]).toEqual([['Of t1'], []]);
    const rows = Array.from({ length: 500 }, (_, n) => ({ shortcut: `n${n}`, text: 'Hello' }));
    for (const row of rows) await addRow(api.database, 'cannedAnswer', { agencyId: 'two', tenantId: 't2', ...row });
    expect([(await put('t2', 'more')).status, (await put('t1', 'more')).status]).toEqual([422, 200]);
  });

  it("are read with a session's key, which changes none, nor does a key that only reads", async () => {
    await set('read', 'Read me');
    expect(await shortcutsOf(ours.scopedKey)).toContain('read');
    const { apiKey: reader } = await aDashboardKey(api, ours, { scopes: ['read'] });
    expect(await shortcutsOf(reader)).toContain('read');
    for (const key of [ours.scopedKey, reader]) {
      expect([(await set('read', 'Changed', key)).status, (await drop('read', key)).status]).toEqual([403, 403]);
    }
  });
});
