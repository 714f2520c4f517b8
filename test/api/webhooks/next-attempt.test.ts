import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { ago, changeRows, fromNow } from '../../support/rows.ts';
import { aScene } from './a-webhook-scene.ts';

const api = await apiOfThisFile('next-attempt');
const acme = await aScene(api, 'acme');

const At = z.iso.datetime().nullable();
const Shown = z.object({ health: z.object({ nextAttemptAt: At }) });
const Listed = z.object({ deliveries: z.array(z.object({ nextAttemptAt: At })) });

/** An endpoint with a delivery that has been due for twenty minutes. */
async function anEndpointBehind(conversation: string): Promise<string> {
  const { id } = await acme.endpoint();
  await acme.message(conversation);
  await changeRows(api.database, 'delivery', { nextAttemptAt: ago({ minutes: 20 }) }, { endpointId: id });
  return id;
}

/** The next attempt as the endpoint and as its delivery say it, in milliseconds. */
async function nextOf(id: string): Promise<(number | null)[]> {
  const { nextAttemptAt } = Shown.parse((await acme.get(`/endpoints/${id}`)).body).health;
  const { deliveries } = Listed.parse((await acme.get(`/deliveries?endpointId=${id}`)).body);
  const times = [nextAttemptAt, ...deliveries.map((delivery) => delivery.nextAttemptAt)];
  return times.map((at) => (at === null ? null : Date.parse(at)));
}

describe('the next attempt that an endpoint and its deliveries show', () => {
  it.each(['closed', 'half_open', 'open'])('is never in the past, where its breaker is %s', async (breaker) => {
    const id = await anEndpointBehind(breaker);
    await changeRows(api.database, 'endpointHealth', { breaker, probeAt: ago({ minutes: 5 }) }, { endpointId: id });
    const asked = api.database.clock.now().getTime();
    const next = await nextOf(id);
    expect(next).toHaveLength(2);
    for (const at of next) expect(at).toBeGreaterThanOrEqual(asked);
  });

  it('is the probe of an open breaker, which comes later than the delivery is due', async () => {
    const id = await anEndpointBehind('probe');
    const probe = { breaker: 'open', probeAt: fromNow({ minutes: 15 }) };
    await changeRows(api.database, 'endpointHealth', probe, { endpointId: id });
    const [ofEndpoint, ofDelivery] = await nextOf(id);
    expect(ofEndpoint).toBeGreaterThan(api.database.clock.now().getTime());
    expect(ofDelivery).toBe(ofEndpoint);
  });

  it('is none while the endpoint is paused', async () => {
    const id = await anEndpointBehind('pause');
    await acme.post(`/endpoints/${id}/pause`);
    expect(await nextOf(id)).toEqual([null, null]);
  });
});
