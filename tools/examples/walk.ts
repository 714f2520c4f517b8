import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import { z } from 'zod';
import { insertLogin } from '../../db/tenants/console-login.ts';
import { awaitWorking, call } from '../../test/support/client.ts';
import { eventually } from '../../test/support/eventually.ts';
import type { TestEngine } from '../../test/support/engine.ts';
import { rowsOf } from '../../test/support/rows.ts';
import { BACKEND_WEBHOOK_SECRET, MASTER_KEY } from '../../test/support/keys.ts';
import { aWebhookReceiver } from '../../test/support/webhook-receiver.ts';
import type { Notebook } from './notebook.ts';
import { agencyId, Made, psk, SECRET, tenantId } from './scene.ts';
import { agent, inbox } from './walk-agent.ts';
import { automations } from './walk-automations.ts';
import { exportTenant, onePerson } from './walk-people.ts';
import { send } from './walk-sending.ts';
import { webhooks } from './walk-webhooks.ts';
import { workflows } from './walk-workflows.ts';

const Keyed = z.object({ apiKey: z.string() });

/** Uses every method of the API once, as a dashboard would that is new to it. */
export async function walk(engine: TestEngine, notebook: Notebook): Promise<void> {
  const receiver = await aWebhookReceiver(SECRET);
  const gone = await aWebhookReceiver(SECRET, () => 410);
  try {
    const key = await register(notebook, receiver.url);
    const session = await connect(engine, notebook, key);
    const { contactId, conversationId } = await send(notebook, key);
    await people(engine, notebook, { key, session });
    await agent(engine, notebook, { key, session, conversationId, contactId });
    await inbox(notebook, key, conversationId);
    await automations(notebook, key, conversationId);
    await workflows(notebook, key);
    await labels(notebook, { key, id: session.id, conversationId });
    await onePerson(engine, notebook, { key, session });
    await settings(engine, notebook, key);
    await notebook.ask('brand.update', { key, body: { colour: '#0a4f9e', logo: PIXEL } });
    await notebook.ask('brand.read', { key });
    await exportTenant(engine, notebook, key);
    await webhooks(engine, notebook, { key, url: receiver.url, goneUrl: gone.url, session });
    await passedOn(engine, notebook, key);
    await operator(engine, notebook);
    await lifecycle(engine, notebook, { key, ...session });
    await notebook.ask('audit.list', { key, query: { limit: '2' } });
    await backends(notebook, session.id);
  } finally {
    receiver.close();
    gone.close();
  }
}

async function register(notebook: Notebook, dashboardUrl: string): Promise<string> {
  const body = { agencyId, dashboardName: 'Acme inbox', dashboardUrl, webhookSecret: SECRET };
  const registered = await notebook.ask('dashboards.register', { body, headers: psk });
  await notebook.ask('dashboards.read', { query: { agencyId }, headers: psk });
  await notebook.ask('dashboards.update', { body: { agencyId, dashboardName: 'Acme' }, headers: psk });
  await notebook.ask('dashboards.list', { headers: psk });
  return Keyed.parse(registered.body).apiKey;
}

async function connect(engine: TestEngine, notebook: Notebook, key: string): Promise<{ id: string; name: string }> {
  const created = await notebook.ask('sessions.create', { key, body: { tenantId } });
  const session = z.object({ id: z.string(), name: z.string() }).parse(created.body);
  await awaitWorking(engine, key, { agencyId, tenantId });
  const query = { tenantId };
  await notebook.ask('sessions.list', { key, query });
  await notebook.ask('sessions.readStatus', { key, query });
  await notebook.ask('sessions.readAccount', { key, query });
  await notebook.ask('sessions.read', { key, query, params: { id: session.id } });
  await profile(notebook, key, session.id);
  await engine.control('POST', '/scanning', { byItself: false });
  const other = await notebook.ask('sessions.create', { key, body: { tenantId, name: 'support', default: false } });
  const { id } = Made.parse(other.body);
  await eventually(
    async () => (await notebook.ask('sessions.read', { key, query, params: { id } })).body['status'] === 'SCAN_QR_CODE',
    { what: 'a QR code' },
  );
  await notebook.ask('sessions.readQr', { key, params: { id }, query: { ...query, format: 'json' } });
  await notebook.ask('sessions.requestPairingCode', { key, params: { id }, body: { tenantId, phone: '+15550100020' } });
  await notebook.ask('sessions.createConnectLink', { key, params: { id }, body: { tenantId, expiresInSeconds: 600 } });
  await notebook.ask('sessions.getConnectLink', { key, params: { id }, query });
  await notebook.ask('sessions.endConnectLink', { key, params: { id }, query });
  await notebook.ask('sessions.update', { key, params: { id: session.id }, body: { tenantId, default: true } });
  return session;
}

/** The beginning of a PNG. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ';

async function profile(notebook: Notebook, key: string, id: string): Promise<void> {
  const query = { tenantId };
  const params = { id };
  await notebook.ask('sessions.readCapabilities', { key, query, params });
  await notebook.ask('sessions.setProfileName', {
    key,
    params: { session: id },
    body: { tenantId, name: 'Acme Bikes' },
  });
  const about = 'Open Monday to Saturday, nine to six';
  await notebook.ask('sessions.setProfileAbout', { key, params: { session: id }, body: { tenantId, about } });
  await notebook.ask('sessions.setProfilePicture', { key, params, body: { tenantId, data: PIXEL } });
  await notebook.ask('sessions.readOwnProfile', { key, query });
  await notebook.ask('sessions.readProfile', { key, query, params });
  await notebook.ask('sessions.deleteProfilePicture', { key, params, query });
}

async function labels(
  notebook: Notebook,
  { key, id, conversationId }: { key: string; id: string; conversationId: string },
): Promise<void> {
  const params = { id };
  await notebook.ask('labels.list', { key, params, query: { tenantId } });
  const body = { tenantId, conversationId, labelIds: ['1'], mode: 'add' };
  await notebook.ask('labels.set', { key, params, body });
}

async function people(
  engine: TestEngine,
  notebook: Notebook,
  { key, session: { id, name } }: { key: string; session: { id: string; name: string } },
): Promise<void> {
  const person = { id: '15550100020', name: 'Alex Meyer', pushname: 'Alex', lid: '123456789012345@lid' };
  await engine.control('POST', `/sessions/${name}/contact`, person);
  await notebook.ask('contacts.sync', { key, params: { session: id } });
  const asked = { key, params: { ref: `+${person.id}` }, query: { tenantId } };
  await eventually(async () => (await notebook.look('contacts.read', asked)).body['name'] === person.name, {
    what: 'the contact to be read from the network',
  });
  await notebook.ask('contacts.list', { key, params: { id }, query: { limit: '2' } });
  await notebook.ask('contacts.listOwn', { key, query: { tenantId, limit: '2' } });
  await notebook.ask('contacts.read', asked);
  const blocks = async (platform: string): Promise<void> => {
    await engine.control('POST', `/sessions/${name}/engine`, { engine: platform });
    await rowsOf(engine.database, sql<object>`update session set platform = ${platform} where id = ${id}`);
  };
  // The engine that the sandbox plays else blocks nobody.
  await blocks('WEBJS');
  for (const act of ['contacts.block', 'contacts.unblock']) {
    await notebook.ask(act, { key, params: { session: id }, body: { tenantId, chatId: `${person.id}@c.us` } });
  }
  await blocks('NOWEB');
}

/** Everything that somebody may ask of a session; what the walk needs a session for is done by now. */
async function lifecycle(
  engine: TestEngine,
  notebook: Notebook,
  { key, id, name }: { key: string; id: string; name: string },
): Promise<void> {
  const by = { tenantId, actor: 'ann', reason: 'It hangs.' };
  const params = { id };
  const works = () => awaitWorking(engine, key, { agencyId, tenantId });
  await engine.control('POST', '/faults', { webhook: 'lose', session: name });
  await engine.control('POST', `/sessions/${name}/inbound`, { from: '15550100020', text: 'Are you there?' });
  await engine.control('DELETE', '/faults');
  await notebook.ask('sessions.sync', {
    key,
    params,
    body: { tenantId, messagesPerChat: 50_000, actor: 'ann', reason: 'A customer asks for last year.' },
  });
  await notebook.ask('sessions.readSync', { key, params, query: { tenantId } });
  await notebook.ask('sessions.stopSync', { key, params, body: { ...by, reason: 'Enough.' } });
  await notebook.ask('sessions.restartNamed', { key, body: by });
  await works();
  await gaps(notebook, { key, query: { tenantId, limit: '1' }, params });
  await notebook.ask('sessions.stop', { key, params, body: by });
  await notebook.ask('sessions.start', { key, params, body: by });
  await works();
  await notebook.ask('sessions.restart', { key, params, body: by });
  await works();
  await engine.control('POST', '/scanning', { byItself: true });
  await notebook.ask('sessions.logout', { key, params, body: { ...by, reason: 'The phone is lost.' } });
  await works();
  await notebook.ask('sessions.logoutNamed', { key, body: { ...by, session: id, reason: 'The phone is lost.' } });
  await works();
  await notebook.ask('sessions.delete', { key, params: { id: 'support' }, query: { tenantId } });
}

async function gaps(
  notebook: Notebook,
  asked: { key: string; query: Record<string, string>; params: { id: string } },
): Promise<void> {
  await eventually(
    async () => {
      const { body } = await notebook.look('sessions.listGaps', asked);
      return Recovering.parse(body).gaps.some(({ recovered }) => recovered.messages > 0);
    },
    { what: 'a gap with a message that was fetched' },
  );
  await notebook.ask('sessions.listGaps', asked);
}

const Recovering = z.object({ gaps: z.array(z.object({ recovered: z.object({ messages: z.number() }) })) });

async function settings(engine: TestEngine, notebook: Notebook, key: string): Promise<void> {
  const params = { tenantId };
  const body = { timeZone: 'Europe/Berlin', country: 'DE', pace: { perMinute: 20, burst: 5 }, mediaRetentionDays: 365 };
  await notebook.ask('tenantSettings.update', { key, params, body });
  await notebook.ask('tenantSettings.read', { key, params });
  await notebook.ask('tenantSettings.readUsage', { key, params });
  await notebook.ask('tenantSettings.readLoad', { key, params, query: { hours: '2' } });
  await notebook.ask('tenantSettings.previewRetention', { key, params, query: { messageRetentionDays: '365' } });
  await notebook.ask('cannedAnswers.set', {
    key,
    params: { shortcut: 'hours' },
    body: { tenantId, text: 'Hello {first_name}, we are open from nine to six.' },
  });
  await notebook.ask('cannedAnswers.list', { key, query: { tenantId } });
  await notebook.ask('cannedAnswers.delete', { key, params: { shortcut: 'hours' }, query: { tenantId } });
  const made = await notebook.ask('apiKeys.create', { key, body: { tenantId, name: 'n8n', scopes: ['send', 'read'] } });
  const { id } = Made.parse(made.body);
  await notebook.ask('apiKeys.createForDashboard', { key, body: { name: 'reporting', scopes: ['read'] } });
  await notebook.ask('apiKeys.list', { key });
  const rotated = await notebook.ask('apiKeys.rotate', {
    key,
    params: { id },
    body: { overlapSeconds: 3_600, reason: 'It was in a log file.' },
  });
  await notebook.ask('apiKeys.revoke', { key, params: { id: Made.parse(rotated.body).id } });
  const link = await notebook.ask('consoleLinks.create', {
    key,
    body: { tenantId, name: 'Ada of the shop', readOnly: false, pages: ['inbox'], expiresInSeconds: 86_400 },
  });
  await notebook.ask('consoleLinks.list', { key });
  const login = await engine.database.transaction((tx) => insertLogin(tx, { linkId: Made.parse(link.body).id }, 3_600));
  await notebook.ask('consoleLogins.list', { key });
  await notebook.ask('consoleLogins.end', { key, params: { id: login.id } });
  const own = await engine.database.transaction((tx) => insertLogin(tx, { masterKey: MASTER_KEY }, 3_600));
  await notebook.ask('consoleLogins.listOfOperator', { key: MASTER_KEY });
  await notebook.ask('consoleLogins.endOfOperator', { key: MASTER_KEY, params: { id: own.id } });
  await notebook.ask('consoleLinks.revoke', { key, params: { id: Made.parse(link.body).id } });
  await notebook.ask('consoleLinks.revokeOfKey', { key, query: { keyId: String(link.body['keyId']) } });
}

async function passedOn(engine: TestEngine, notebook: Notebook, key: string): Promise<void> {
  await call(engine, 'GET', `/api/default/labels?tenantId=${tenantId}`, { key });
  await eventually(
    async () => {
      const { body } = await notebook.look('passthroughRequests.list', { key });
      return z.array(z.unknown()).parse(body['requests']).length > 0;
    },
    { what: 'the request in the list' },
  );
  await notebook.ask('passthroughRequests.list', { key });
}

/** A promise of a release that had another type of workflow, which was rolled back. */
async function parkedDispatch(engine: TestEngine, notebook: Notebook): Promise<void> {
  await rowsOf(
    engine.database,
    sql<object>`insert into dispatch (workflow_type, workflow_id, action, agency_id)
      values ('weighParcel', 'parcel/17', 'start', 'acme')`,
  );
  const [id] = await eventually(
    async () => {
      const { body } = await notebook.look('adminParkedDispatches.list', { key: MASTER_KEY });
      const ids = z.array(Made).parse(body['dispatches']);
      return ids.length > 0 && ids;
    },
    { what: 'a parked dispatch', withinMs: 60_000 },
  );
  await notebook.ask('adminParkedDispatches.list', { key: MASTER_KEY });
  await notebook.ask('adminParkedDispatches.retry', { params: { id: id?.id ?? '' }, key: MASTER_KEY });
}

/** Posts an event as the backend does. */
function report(engine: TestEngine, raw: string): Promise<Response> {
  const hmac = createHmac('sha512', BACKEND_WEBHOOK_SECRET).update(raw).digest('hex');
  return fetch(`${engine.url}/v1/internal/backend/events`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-webhook-hmac': hmac },
    body: raw,
  });
}

/** An event of a backend that is newer than the engine. */
async function unknownReport(engine: TestEngine, notebook: Notebook): Promise<void> {
  const [session] = await rowsOf(engine.database, sql<{ name: string }>`select name from session order by id limit 1`);
  await report(engine, JSON.stringify({ event: 'chat.pinned', session: session?.name ?? '', payload: {} }));
  await eventually(
    async () => {
      const { body } = await notebook.look('adminUnknownReports.list', { key: MASTER_KEY });
      return z.array(z.unknown()).parse(body['reports']).length > 0;
    },
    { what: 'an unknown report' },
  );
  await notebook.ask('adminUnknownReports.list', { key: MASTER_KEY });
}

async function operator(engine: TestEngine, notebook: Notebook): Promise<void> {
  const response = await report(engine, 'not an event');
  notebook.noteReply('backendEvents.receive', response.status, await response.json());
  let parked: string | undefined;
  await eventually(
    async () => {
      const { body } = await notebook.look('parkedEvents.list', { headers: psk });
      parked = z.array(Made).parse(body['events'])[0]?.id;
      return parked !== undefined;
    },
    { what: 'a parked event', withinMs: 60_000 },
  );
  await notebook.ask('parkedEvents.list', { headers: psk });
  await notebook.ask('adminParkedEvents.list', { key: MASTER_KEY });
  await notebook.ask('adminParkedEvents.apply', { params: { id: parked ?? '' }, key: MASTER_KEY });
  await notebook.ask('parkedEvents.apply', { params: { id: parked ?? '' }, headers: psk });
  await parkedDispatch(engine, notebook);
  await unknownReport(engine, notebook);
  await administration(notebook);
  await notebook.ask('adminWork.read', { key: MASTER_KEY });
  await notebook.ask('health.read');
}

/** The session is at another backend afterwards, so this comes last. */
async function backends(notebook: Notebook, id: string): Promise<void> {
  await notebook.ask('adminBackends.list', { key: MASTER_KEY });
  const body = { backend: 'second', actor: 'ann', reason: 'The first is full' };
  await notebook.ask('adminBackends.moveSession', { key: MASTER_KEY, params: { id }, body });
}

async function administration(notebook: Notebook): Promise<void> {
  const asked = { key: MASTER_KEY, params: { agencyId } };
  await notebook.ask('limits.update', { ...asked, body: { ratePerMinute: 6_000, share: 2 } });
  await notebook.ask('limits.read', asked);
  await notebook.ask('adminDashboards.list', { key: MASTER_KEY });
  await notebook.ask('adminDashboards.read', asked);
  await notebook.ask('adminDashboards.listSessions', asked);
  await notebook.ask('adminDashboards.suspend', { ...asked, body: { actor: 'ann', reason: 'Unpaid bill' } });
  await notebook.ask('adminDashboards.activate', { ...asked, body: { actor: 'ann', reason: 'Paid' } });
  await notebook.ask('audit.listAll', { key: MASTER_KEY, query: { limit: '2' } });
  await notebook.ask('encryptionKey.rotate', { headers: psk, body: {} });
}
