import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { personWrites, textsSeenBy } from '../../support/sandbox-record.ts';

const TEXTS = { greeting: 'We answer within the hour.' };

describe("an agency's default of an automation", () => {
  let engine: TestEngine;
  let agency: Agency;

  beforeAll(async () => {
    engine = await startEngine();
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'defaults' });
  });
  afterAll(() => engine.close());

  const ask = (method: string, path: string, body?: object): Promise<Answer> =>
    call(engine, method, `/api/v1${path}`, { key: agency.dashboardKey, ...(body && { body }) });
  const setDefault = (automation: string, body: object): Promise<Answer> =>
    ask('PUT', `/automation-defaults/${automation}`, body);
  const readOf = (automation: string, tenantId = agency.tenantId): Promise<Answer> =>
    ask('GET', `/automations/${automation}?tenantId=${tenantId}`);

  it('holds for a tenant that has set nothing, which acts by it, and its history has who asked', async () => {
    expect((await readOf('welcome-contact')).status).toBe(404);
    const set = await setDefault('welcome-contact', { enabled: true, params: { texts: TEXTS } });
    expect(set.body).toMatchObject({ automation: 'welcome-contact', enabled: true, version: 1 });
    const { body } = await readOf('welcome-contact');
    expect(body).toMatchObject({
      enabled: true,
      followsAgency: true,
      params: { texts: TEXTS },
      changes: [{ version: 1, enabled: true, keyId: expect.any(String) }],
    });
    // It greets a first message alone, and one may come before the process knows of the default.
    const people: string[] = [];
    const isGreeted = async (from: string): Promise<boolean> =>
      (await textsSeenBy(engine, agency.session.name, `${from}@c.us`)).includes(TEXTS.greeting);
    await eventually(async () => {
      const from = String(15_550_107_700 + people.length);
      people.push(from);
      await personWrites(engine, agency.session.name, { from, text: 'Good morning', pushName: 'Ada' });
      return (await Promise.all(people.map(isGreeted))).includes(true);
    });
  });

  it('holds for tenants that come later', async () => {
    await setDefault('nudge-unread', { enabled: true });
    await ask('PUT', '/tenants/later/settings', { timeZone: 'Europe/Berlin' });
    expect((await readOf('nudge-unread', 'later')).body).toMatchObject({ enabled: true, followsAgency: true });
  });

  it('holds for no tenant that has set its own, until that is given back', async () => {
    const { tenantId } = agency;
    await setDefault('assign-unanswered', { enabled: true });
    await ask('PUT', '/automations/assign-unanswered', { tenantId, enabled: false });
    await setDefault('assign-unanswered', { enabled: true, params: { afterMinutes: 7 } });
    const own = await readOf('assign-unanswered');
    expect(own.body).toMatchObject({ enabled: false, followsAgency: false });
    const kept = await ask('GET', '/automation-defaults/assign-unanswered');
    expect(kept.body).toMatchObject({ version: 2, changes: [{ version: 2 }, { version: 1 }] });

    const given = await ask('DELETE', `/automations/assign-unanswered?tenantId=${tenantId}`);
    const again = await ask('DELETE', `/automations/assign-unanswered?tenantId=${tenantId}`);
    for (const { body } of [given, again]) {
      expect(body).toMatchObject({ enabled: true, followsAgency: true, params: { afterMinutes: 7 }, version: 3 });
    }
    const { followers } = z
      .object({ followers: z.int() })
      .parse((await ask('GET', '/automation-defaults/assign-unanswered')).body);
    expect(followers).toBe(Number(kept.body['followers']) + 1);
  });

  it('makes no version where nothing changes', async () => {
    const first = await setDefault('opt-out', { enabled: true });
    const second = await setDefault('opt-out', { enabled: true });
    expect(second.body).toEqual(first.body);
    expect((await readOf('opt-out')).body).toMatchObject({ version: 1 });
  });

  it('is off for a tenant that gives back what the agency has not set', async () => {
    const { tenantId } = agency;
    await ask('PUT', '/automations/ask-satisfaction', { tenantId, enabled: true });
    const given = await ask('DELETE', `/automations/ask-satisfaction?tenantId=${tenantId}`);
    expect(given.body).toMatchObject({ enabled: false, followsAgency: true });
  });

  it('names an endpoint only if that serves all tenants', async () => {
    const { tenantId } = agency;
    const make = async (tenantIds?: string[]): Promise<unknown> =>
      (await ask('POST', '/webhooks/endpoints', { url: 'https://example.com/in', ...(tenantIds && { tenantIds }) }))
        .body['id'];
    const [one, all] = [await make([tenantId]), await make()];
    const refused = await setDefault('sort-enquiry', { enabled: true, params: { endpoint: one } });
    expect([refused.status, refused.body['errors']]).toMatchObject([422, [{ pointer: '/params/endpoint' }]]);
    expect((await setDefault('sort-enquiry', { enabled: true, params: { endpoint: all } })).status).toBe(200);
  });

  it('is switched off also where an endpoint that it names is gone, and keeps its parameters', async () => {
    const url = 'https://example.com/gone';
    const id = String((await ask('POST', '/webhooks/endpoints', { url })).body['id']);
    const params = { endpoint: id };
    expect((await setDefault('sort-enquiry', { enabled: true, params })).status).toBe(200);
    await ask('DELETE', `/webhooks/endpoints/${id}`);
    expect((await setDefault('sort-enquiry', { enabled: true })).status).toBe(422);
    expect((await setDefault('sort-enquiry', { enabled: false })).body).toMatchObject({ enabled: false, params });
    expect((await readOf('sort-enquiry')).body).toMatchObject({ enabled: false, followsAgency: true });
    const { tenantId } = agency;
    const off = await ask('PUT', '/automations/sort-enquiry', { tenantId, enabled: false });
    expect(off.body).toMatchObject({ enabled: false, followsAgency: false, params });
  });

  it('keeps both of two changes at the same time', async () => {
    for (const afterMinutes of [11, 12, 13, 14]) {
      await setDefault('assign-unanswered', { enabled: true, params: { afterMinutes: 5 } });
      await Promise.all([
        setDefault('assign-unanswered', { enabled: true, params: { afterMinutes } }),
        setDefault('assign-unanswered', { enabled: false }),
      ]);
      const { body } = await ask('GET', '/automation-defaults/assign-unanswered');
      // Whichever was last, what the other has set of the parameters stays.
      expect(body).toMatchObject({ params: { afterMinutes } });
    }
  });

  it('tells in the history of a tenant who has set it, the tenant or its agency', async () => {
    await setDefault('nudge-unread', { enabled: true, params: { afterHours: 3 } });
    await ask('PUT', '/tenants/told/settings', { timeZone: 'Europe/Berlin' });
    await ask('PUT', '/automations/nudge-unread', { tenantId: 'told', enabled: false });
    expect((await readOf('nudge-unread', 'told')).body['changes']).toMatchObject([
      { version: 2, enabled: false, followsAgency: false, keyId: expect.any(String) },
      { version: 1, enabled: true, followsAgency: true, keyId: expect.any(String) },
    ]);
  });

  it("takes the dashboard's key", async () => {
    const { scopedKey: key } = agency;
    const answers = await Promise.all([
      call(engine, 'PUT', '/api/v1/automation-defaults/opt-out', { key, body: { enabled: false } }),
      call(engine, 'GET', '/api/v1/automation-defaults', { key }),
      call(engine, 'DELETE', '/api/v1/automations/opt-out', { key }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});
