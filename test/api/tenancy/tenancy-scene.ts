import { sql } from 'kysely';
import { z } from 'zod';
import { insertTurn } from '../../../db/agent/turn.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { insertLogin } from '../../../db/tenants/console-login.ts';
import { UploadedFile } from '../../../domain/sending/upload.ts';
import { call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import type { TestEngine } from '../../support/engine.ts';
import { StreamReader } from '../../support/event-stream.ts';
import { eventually } from '../../support/eventually.ts';
import { untilRows } from '../../support/rows.ts';
import { WORKFLOW } from './doors.ts';
import type { Objects } from './doors.ts';

const NOBODYS = '00000000-0000-7000-8000-000000000000';

/** Objects that do not exist. */
export const MISSING: Objects = {
  sessionId: `ses_${NOBODYS}`,
  sessionName: 'no_such_session',
  contactId: `con_${NOBODYS}`,
  conversationId: `cnv_${NOBODYS}`,
  messageId: `msg_${NOBODYS}`,
  turnId: `trn_${NOBODYS}`,
  memoryId: `mem_${NOBODYS}`,
  noteId: `nte_${NOBODYS}`,
  rehearsalId: `reh_${NOBODYS}`,
  erasureId: `era_${NOBODYS}`,
  exportId: `exp_${NOBODYS}`,
  executionId: `exe_${NOBODYS}`,
  workflowId: `flw_${NOBODYS}`,
  keyId: `key_${NOBODYS}`,
  linkId: `clk_${NOBODYS}`,
  loginId: `clg_${NOBODYS}`,
  streamId: `str_${NOBODYS}`,
  uploadId: `upl_${NOBODYS}`,
  // It has the form of one, and nobody has signed it.
  fileId: `file_${Buffer.from('["00",1,"text/plain",null,"key_none"]').toString('base64url')}.${'A'.repeat(43)}`,
  endpointId: `whe_${NOBODYS}`,
  sessionEndpointId: `whe_${NOBODYS}`,
  eventId: `evt_${NOBODYS}`,
  deliveryId: '999999999',
};

const WithId = z.object({ id: z.string() });
const Created = z.object({ id: z.string(), name: z.string() });
const CreatedKey = z.object({ id: z.string(), apiKey: z.string() });
const Sent = z.object({ messageId: z.string(), conversationId: z.string(), contactId: z.string() });
const Events = z.object({ events: z.array(WithId) });
const Resent = z.object({ deliveries: z.tuple([z.object({ deliveryId: z.string() })]) });

/** Another tenant of the same agency. */
export async function aNeighbour(engine: TestEngine, agency: Agency, tenantId: string): Promise<Agency> {
  const asks = asking(engine, { ...agency, tenantId });
  const session = Created.parse((await asks('POST', '/sessions', {})).body);
  const { apiKey: scopedKey } = CreatedKey.parse((await asks('POST', '/api-keys', { name: 'n' })).body);
  return { ...agency, tenantId, session, scopedKey };
}

/** Another session of the same tenant. */
export async function aSibling(engine: TestEngine, agency: Agency): Promise<Agency> {
  const { body } = await asking(engine, agency)('POST', '/sessions', { name: 'sibling' });
  return { ...agency, session: Created.parse(body) };
}

/** One of each that a session can have, or its tenant. */
export async function objectsOf(engine: TestEngine, agency: Agency, ofContact?: string): Promise<Objects> {
  const to = ofContact ?? '15550100701';
  const asks = asking(engine, agency);
  const sendAt = new Date(Date.now() + 3_600_000).toISOString();
  const { messageId, conversationId, contactId } = Sent.parse(
    (await asks('POST', '/messages/send', { to, text: 'later', sendAt, session: agency.session.id })).body,
  );
  const fact = {
    fact: `We open at nine, ${to}`,
    category: 'context',
    source: 'manual',
    ...(ofContact === undefined ? {} : { contactId }),
  };
  const { id: memoryId } = WithId.parse((await asks('POST', '/memories', fact)).body);
  await asks('POST', '/memories', { ...fact, fact: `Likes boats, ${to}`, contactId });
  const { id: noteId } = WithId.parse((await asks('POST', '/notes', { contactId, text: `Ours of ${to}` })).body);
  await asks('PUT', '/automations/ask-satisfaction', { enabled: true });
  const run = await asks('POST', '/automation-executions', { automation: 'ask-satisfaction', conversationId });
  const { id: workflowId } = WithId.parse((await asks('POST', '/workflows', { definition: WORKFLOW })).body);
  const rehearsal = { conversationId };
  const { id: rehearsalId } = WithId.parse((await asks('POST', '/ai/rehearse', rehearsal)).body);
  const another = CreatedKey.parse((await asks('POST', '/api-keys', { name: 'another' })).body);
  const { id: keyId } = another;
  await aStream(engine, agency, another);
  // It must not end with the other key.
  const ofStream = CreatedKey.parse((await asks('POST', '/api-keys', { name: 'of a stream' })).body);
  const streamId = await aStream(engine, agency, ofStream);
  const { id: linkId } = CreatedKey.pick({ id: true }).parse(
    (await asks('POST', '/console/links', { name: 'a link' })).body,
  );
  const login = await engine.database.transaction((tx) => insertLogin(tx, { keyId }, 3_600));
  const upload = { key: agency.scopedKey, file: Buffer.from(`A file for ${to}`) };
  const { id: uploadId, fileId } = UploadedFile.parse((await call(engine, 'POST', '/api/v1/files', upload)).body);
  const hook = { url: 'http://127.0.0.1:9/in', tenantIds: [agency.tenantId] };
  const { id: endpointId } = WithId.parse((await asks('POST', '/webhooks/endpoints', hook)).body);
  const own = { url: 'http://127.0.0.1:9/own' };
  const put = await asks('PUT', `/sessions/${agency.session.id}/webhooks`, own);
  const eventId = await eventually(
    async () => Events.parse((await asks('GET', `/webhooks/events?sessionId=${agency.session.id}`)).body).events[0]?.id,
    { what: 'an event of the session' },
  );
  const resent = await asks('POST', `/webhooks/events/${eventId}/resend`, { endpointId });
  const [{ deliveryId }] = Resent.parse(resent.body).deliveries;
  await eventually(
    async () => {
      const { body } = await asks('GET', `/webhooks/attempts?deliveryId=${deliveryId}`);
      return z.object({ attempts: z.array(z.unknown()) }).parse(body).attempts.length > 0;
    },
    { what: 'the attempt of the delivery' },
  );
  await asks('GET', `/contacts/all?session=${agency.session.id}`);
  await eventually(
    async () => {
      const { body } = await asks('GET', `/passthrough/requests?sessionId=${agency.session.id}`);
      return z.object({ requests: z.array(z.unknown()) }).parse(body).requests.length > 0;
    },
    { what: 'the record of a request that was passed on' },
  );
  return {
    sessionId: agency.session.id,
    sessionName: agency.session.name,
    contactId,
    conversationId,
    messageId,
    turnId: await aTurn(engine, conversationId),
    memoryId,
    noteId,
    rehearsalId,
    erasureId: await anErasure(engine, agency),
    exportId: await anExport(engine, agency),
    executionId: WithId.parse(run.body).id,
    workflowId,
    keyId,
    linkId,
    loginId: login.id,
    streamId,
    uploadId,
    fileId,
    endpointId,
    sessionEndpointId: WithId.parse(put.body).id,
    eventId,
    deliveryId,
  };
}

/** A reader that nobody refers to is collected, and its stream with it. */
const readers: StreamReader[] = [];
const Streams = z.object({ streams: z.tuple([WithId]) });

/** One that stays open until the engine stops. */
async function aStream(
  engine: TestEngine,
  agency: Agency,
  { id: keyId, apiKey }: z.output<typeof CreatedKey>,
): Promise<string> {
  const reader = await StreamReader.open(`${engine.url}/api/v1/events/stream`, { 'x-api-key': apiKey });
  readers.push(reader);
  await reader.untilReady();
  const { body } = await asking(engine, agency)('GET', `/events/streams?keyId=${keyId}`);
  return Streams.parse(body).streams[0].id;
}

/** One that ended in silence, as there is no way to ask for one. */
async function aTurn({ database }: TestEngine, conversationId: string): Promise<string> {
  return database.transaction((tx) => {
    const at = tx.now.toISOString();
    const batch = { messageIds: ['msg_0'], messageId: 'msg_0', at, receivedAt: at };
    return insertTurn(tx, conversationId, batch, { silence: 'paused' });
  });
}

/** One that has ended, of somebody who is not there any more. */
async function anErasure({ database }: TestEngine, { agencyId, tenantId }: Agency): Promise<string> {
  const id = newId('era');
  await database.transaction((tx) =>
    sql`
      insert into erasure (id, agency_id, tenant_id, contact_id, key_id, step, created_at, erased_at, ended_at)
      values (${id}, ${agencyId}, ${tenantId}, ${newId('con')}, 'key', 'done', now(), now(), now())`.execute(tx.sql),
  );
  return id;
}

async function anExport(engine: TestEngine, agency: Agency): Promise<string> {
  const path = `/tenants/${agency.tenantId}/exports`;
  const { id } = WithId.parse((await asking(engine, agency)('POST', path, {})).body);
  await untilRows(engine.database, sql`tenant_export where id = ${id} and ended_at is not null`);
  return id;
}

/** Requests of the tenant's, by its dashboard. */
function asking(engine: TestEngine, { agencyId, tenantId, dashboardKey: key }: Agency) {
  return (method: string, path: string, body?: object): Promise<Answer> => {
    const url = new URL(`/api/v1${path}`, engine.url);
    url.searchParams.set('agencyId', agencyId);
    if (!path.startsWith('/webhooks/endpoints')) url.searchParams.set('tenantId', tenantId);
    return call(engine, method, url.pathname + url.search, {
      key,
      headers: { prefer: 'respond-async' },
      ...(body === undefined ? {} : { body }),
    });
  };
}
