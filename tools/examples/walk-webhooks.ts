import { z } from 'zod';
import { StreamReader } from '../../test/support/event-stream.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { TestEngine } from '../../test/support/engine.ts';
import { MASTER_KEY } from '../../test/support/keys.ts';
import type { Notebook } from './notebook.ts';
import { Made, SECRET } from './scene.ts';

interface Hooks {
  key: string;
  url: string;
  goneUrl: string;
  session: { id: string; name: string };
}

export async function webhooks(
  engine: TestEngine,
  notebook: Notebook,
  { key, url, goneUrl, session }: Hooks,
): Promise<void> {
  const wanted = { events: ['message', 'message.ack'], description: 'The CRM' };
  const created = await notebook.ask('webhookEndpoints.create', {
    key,
    body: { url, ...wanted, secret: SECRET },
  });
  const endpointId = Made.parse(created.body).id;
  const params = { id: endpointId };
  await notebook.ask('webhookEndpoints.list', { key });
  await notebook.ask('webhookEndpoints.update', { key, params, body: { ratePerSecond: 10 } });
  await notebook.ask('webhookEndpoints.pause', { key, params, body: { reason: 'The CRM is being moved.' } });
  await notebook.ask('webhookEndpoints.resume', { key, params, body: { reason: 'The CRM is back.', recover: true } });
  await notebook.ask('webhookEndpoints.read', { key, params });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  await notebook.ask('webhookEndpoints.recover', { key, params, body: { since } });
  await notebook.ask('webhookEndpoints.replay', { key, params, body: { since, dryRun: true } });
  const tested = await notebook.ask('webhookEndpoints.test', { key, params, body: { event: 'message' } });
  const eventId = z.string().parse(tested.body['eventId']);
  await notebook.ask('webhookEventTypes.list');
  await notebook.ask('webhookEvents.list', { key, query: { limit: '2' } });
  const pull = { after: 'start', limit: '2' };
  await notebook.askAnotherWay('webhookEvents.list', 'A pull (`after=`), with bodies', { key, query: pull });
  await notebook.ask('webhookEvents.resend', { key, params: { id: eventId }, body: { endpointId } });
  await eventually(
    async () => {
      const { body } = await notebook.look('webhookAttempts.list', { key, query: { eventId } });
      return z.array(z.unknown()).parse(body['attempts']).length > 0;
    },
    { what: 'an attempt', withinMs: 30_000 },
  );
  await notebook.ask('webhookEvents.read', { key, params: { id: eventId } });
  await notebook.ask('webhookAttempts.list', { key, query: { eventId } });
  await notebook.ask('webhookEndpoints.readStatistics', { key, params });
  const deliveries = await notebook.ask('webhookDeliveries.list', { key, query: { limit: '2' } });
  const [delivery] = z.array(Made).parse(deliveries.body['deliveries']);
  const one = { id: delivery?.id ?? '' };
  await notebook.ask('webhookDeliveries.read', { key, params: one });
  await notebook.ask('webhookDeliveries.resend', { key, params: one });
  await notices(engine, notebook, { key, url: goneUrl, session });
  await notebook.ask('webhookEndpoints.rotateSecret', { key, params, body: { overlapHours: 24 } });
  await notebook.ask('webhookEndpoints.delete', { key, params });
  const reader = await StreamReader.open(`${engine.url}/api/v1/events/stream?tenantId=shop`, { 'x-api-key': key });
  await reader.untilReady();
  const { streams } = (await notebook.ask('eventStreams.list', { key })).body;
  const [stream] = z.array(Made).parse(streams);
  await notebook.ask('eventStreams.end', { key, params: { id: stream?.id ?? '' } });
  const own = { id: session.id };
  const put = await notebook.ask('sessionWebhooks.put', { key, params: own, body: { url, events: ['message'] } });
  await notebook.ask('sessionWebhooks.list', { key, params: own });
  const { id } = Made.parse(put.body);
  await notebook.ask('sessionWebhooks.delete', { key, params: { ...own, endpointId: id } });
  await notebook.ask('webhookMirror.update', { key, body: { tenantIds: ['shop'] } });
  await notebook.ask('webhookMirror.read', { key });
  await notebook.look('webhookMirror.update', { key, body: { tenantIds: [] } });
}

async function notices(
  engine: TestEngine,
  notebook: Notebook,
  { key, url, session }: Omit<Hooks, 'goneUrl'>,
): Promise<void> {
  const created = await notebook.ask('webhookEndpoints.create', { key, body: { url, secret: SECRET } });
  const { id } = Made.parse(created.body);
  await notebook.ask('webhookEndpoints.test', { key, params: { id }, body: {} });
  await eventually(
    async () => {
      const { body } = await notebook.look('webhookNotices.list', { key });
      return z.array(z.unknown()).parse(body['notices']).length > 0;
    },
    { what: 'a notice', withinMs: 30_000 },
  );
  await notebook.ask('webhookNotices.list', { key });
  await notebook.ask('webhookNotices.listAll', { key: MASTER_KEY });
  // The endpoint is disabled, so this event waits for it and can be cancelled.
  await engine.control('POST', `/sessions/${session.name}/inbound`, { from: '15550100020', text: 'x'.repeat(300_000) });
  let waits: string | undefined;
  await eventually(
    async () => {
      const { body } = await notebook.look('webhookDeliveries.list', {
        key,
        query: { endpointId: id, status: 'pending' },
      });
      waits = z.array(Made).parse(body['deliveries'])[0]?.id;
      return waits !== undefined;
    },
    { what: 'a delivery that waits', withinMs: 30_000 },
  );
  await notebook.ask('webhookDeliveries.cancel', { key, params: { id: waits ?? '' } });
  await wholeEvent(notebook, key);
}

async function wholeEvent(notebook: Notebook, key: string): Promise<void> {
  const { body } = await notebook.look('webhookEvents.list', { key, query: { after: 'start', limit: '100' } });
  const bodies = z.array(z.object({ id: z.string(), body: z.string() })).parse(body['events']);
  const linked = bodies.find((event) => event.body.includes('payloadUrl'));
  const url = /"payloadUrl":"([^"]+)"/.exec(linked?.body ?? '')?.[1] ?? '';
  const signature = new URL(url).searchParams.get('signature') ?? '';
  await notebook.ask('webhookEvents.readPayload', { params: { eventId: linked?.id ?? '' }, query: { signature } });
}
