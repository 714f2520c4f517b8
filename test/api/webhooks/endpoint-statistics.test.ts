import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { readEndpointDay } from '../../../db/webhooks/endpoint-statistics.ts';
import { call } from '../../support/client.ts';
import { addRow, findRows } from '../../support/rows.ts';
import { Browser } from '../console/browser.ts';
import { aScene } from './a-webhook-scene.ts';

const api = await apiOfThisFile('endpoint-statistics');
const acme = await aScene(api, 'acme');
const globex = await aScene(api, 'globex');
const HOUR_MS = 3_600_000;
/** Attempts are put into whole hours before it. It is read anew, because a run may pass a full hour. */
const thisHour = () => Math.floor(api.database.clock.now().getTime() / HOUR_MS) * HOUR_MS;

const Statistics = z.object({
  delivered: z.int(),
  failed: z.int(),
  medianMs: z.int().nullable(),
  p95Ms: z.int().nullable(),
  isCut: z.boolean(),
  hours: z.array(z.object({ at: z.iso.datetime(), delivered: z.int(), failed: z.int(), medianMs: z.int().nullable() })),
});
const statisticsOf = async (id: string) => Statistics.parse((await acme.get(`/endpoints/${id}/statistics`)).body);

interface Tried {
  hoursAgo: number;
  name: string;
  ms: number;
  delivery?: string;
}

async function attempts(endpointId: string, tried: readonly Tried[]): Promise<void> {
  for (const [number, { hoursAgo, name, ms, delivery = '1' }] of tried.entries()) {
    const at = new Date(thisHour() - hoursAgo * HOUR_MS + 1_000);
    const row = { deliveryId: delivery, endpointId, eventId: 'evt', number, at, class: name, durationMs: ms };
    await addRow(api.database, 'deliveryAttempt', { ...row, status: null, responseExcerpt: null });
  }
}

/** A link to one endpoint of tenant `t1`, opened. */
async function guestOf(endpointId: string): Promise<Browser> {
  const body = { tenantId: 't1', name: 'Ada', endpointId };
  const made = await call(api, 'POST', '/api/v1/console/links', { key: acme.key, body });
  const ticket = new URL(z.object({ url: z.url() }).parse(made.body).url).hash.replace('#ticket=', '');
  const browser = new Browser(api);
  await browser.ask('POST', '/console/session', { ticket });
  return browser;
}

describe('the last 24 hours of an endpoint', () => {
  it('are empty before its first attempt', async () => {
    const { id } = await acme.endpoint();
    const { hours, ...whole } = await statisticsOf(id);
    expect(whole).toEqual({ delivered: 0, failed: 0, medianMs: null, p95Ms: null, isCut: false });
    expect(hours).toHaveLength(24);
    expect(hours.at(-1)?.at).toBe(new Date(thisHour()).toISOString());
  });

  it('count what it accepted and refused by the hour, and no fault of the engine', async () => {
    const { id } = await acme.endpoint();
    await attempts(id, [
      { hoursAgo: 0, name: 'delivered', ms: 10 },
      { hoursAgo: 0, name: 'delivered', ms: 30 },
      { hoursAgo: 0, name: 'timeout', ms: 15_000 },
      { hoursAgo: 0, name: 'released', ms: 1 },
      { hoursAgo: 0, name: 'engine_error', ms: 1 },
      { hoursAgo: 5, name: 'delivered', ms: 20 },
      { hoursAgo: 24, name: 'delivered', ms: 9_000 },
    ]);
    const { hours, ...whole } = await statisticsOf(id);
    expect(whole).toEqual({ delivered: 3, failed: 1, medianMs: 20, p95Ms: 30, isCut: false });
    expect(hours.at(-1)).toMatchObject({ delivered: 2, failed: 1, medianMs: 10 });
    expect(hours.at(-6)).toMatchObject({ delivered: 1, failed: 0, medianMs: 20 });
    expect(hours.slice(0, -6)).toEqual(expect.not.arrayContaining([expect.objectContaining({ delivered: 1 })]));
  });

  it('are those of one tenant for who came by its link, and of no other agency', async () => {
    const { id } = await acme.endpoint();
    await acme.message('mine');
    await acme.message('theirs', { tenantId: 't2' });
    const rows = await findRows(api.database, 'delivery', { endpointId: id }, ['id', 'tenantId']);
    await attempts(
      id,
      rows.map((row) => ({ hoursAgo: 0, name: 'delivered', ms: 5, delivery: row.id })),
    );
    expect(await statisticsOf(id)).toMatchObject({ delivered: 2 });
    const guest = await guestOf(id);
    const path = `/api/v1/webhooks/endpoints/${id}/statistics`;
    expect((await guest.ask('GET', path)).body).toMatchObject({ delivered: 1 });
    expect((await call(api, 'GET', path, { key: globex.key })).status).toBe(404);
  });
});

describe('the bound of the statistics', () => {
  it('is on the attempts of all tenants, so few events of one tenant cost no more', async () => {
    const { id: endpointId } = await acme.endpoint();
    await acme.message('rare');
    const [mine] = await findRows(api.database, 'delivery', { endpointId }, ['id']);
    await attempts(endpointId, [
      { hoursAgo: 2, name: 'delivered', ms: 5, delivery: mine?.id ?? '' },
      { hoursAgo: 1, name: 'delivered', ms: 5 },
      { hoursAgo: 0, name: 'delivered', ms: 5 },
    ]);
    const read = (most: number) =>
      api.database.read((queries) => readEndpointDay(queries, { endpointId, tenantId: 't1' }, most));
    expect(await read(2)).toMatchObject({ delivered: 0, isCut: true });
    expect(await read(4)).toMatchObject({ delivered: 1, isCut: false });
  });
});

describe('a delivery and its attempts', () => {
  it('show the event and the person, whom a link to one endpoint does not see', async () => {
    const { id } = await acme.endpoint();
    const conversation = { id: 'cnv_named', agencyId: 'acme', tenantId: 't1', sessionId: acme.sessions.t1 };
    const group = { chatId: '120363025246125486@g.us', contactId: null, name: 'Night shift' };
    await addRow(api.database, 'conversation', { ...conversation, ...group });
    await acme.message('named');
    const [row] = await findRows(api.database, 'delivery', { endpointId: id }, ['id', 'eventId']);
    await attempts(id, [{ hoursAgo: 0, name: 'delivered', ms: 5, delivery: row?.id ?? '' }]);
    const shown = { eventType: 'message', conversation: { id: 'cnv_named', name: 'Night shift' } };
    const hidden = { eventType: 'message', conversation: null };
    const guest = await guestOf(id);
    for (const list of ['deliveries', 'attempts']) {
      const path = `/${list}?endpointId=${id}`;
      expect((await acme.get(path)).body[list]).toMatchObject([shown]);
      expect((await guest.ask('GET', `/api/v1/webhooks${path}`)).body[list]).toMatchObject([hidden]);
    }
    const { body } = await acme.get(`/events/${row?.eventId}`);
    expect(body['deliveries']).toEqual(expect.arrayContaining([expect.objectContaining(shown)]));
  });

  it('show the person after the conversation was merged into another', async () => {
    const { id } = await acme.endpoint();
    const of = { agencyId: 'acme', tenantId: 't1', sessionId: acme.sessions.t1, contactId: null };
    const kept = { ...of, id: 'cnv_kept', chatId: '120363025246125487@g.us', name: 'Day shift' };
    await addRow(api.database, 'conversation', kept);
    const former = { ...of, id: 'cnv_lead', chatId: '120363025246125488@g.us', mergedInto: 'cnv_kept' };
    await addRow(api.database, 'conversation', former);
    await acme.message('lead');
    const { body } = await acme.get(`/deliveries?endpointId=${id}`);
    expect(body['deliveries']).toMatchObject([{ conversation: { id: 'cnv_kept', name: 'Day shift' } }]);
  });

  it('show no event any more once it is not kept', async () => {
    const { id } = await acme.endpoint();
    await attempts(id, [{ hoursAgo: 0, name: 'delivered', ms: 5, delivery: '999999999' }]);
    const { body } = await acme.get(`/attempts?endpointId=${id}`);
    expect(body['attempts']).toMatchObject([{ eventType: null, conversation: null }]);
  });
});
