import { describe, expect, it } from '@jest/globals';
import { newId } from '../../../db/engine/new-id.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { applyNetworkEvent } from '../../db/network/apply-event.ts';
import { apiOfThisFile } from '../../support/api-of-this-file.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { addRow, changeRows, databaseNow, ensureAutomation, findRows, json } from '../../support/rows.ts';
import { aSender, connect } from '../sending/a-sender.ts';

const api = await apiOfThisFile('executions-in-temporal');
const { database } = api;
const sender = await aSender(api, 'in-temporal');
await connect(api, sender, 'NOWEB');
const session = await database.read((queries) => findSessionById(queries, sender.session.id));
if (!session) throw new Error('The session is not there.');
const { agencyId, tenantId } = session;

describe('the lists of executions', () => {
  it('name no execution of a run that waits for its turn, nor of one that ended there', async () => {
    const trigger = json({ event: 'request' });
    const of = { agencyId, tenantId, sessionId: session.id, definition: 'welcome', params: json({}), trigger };
    await ensureAutomation(database, { agencyId, tenantId }, { id: 'aut', definition: 'welcome' });
    const [begun, waits, cancelled] = [newId('exe'), newId('exe'), newId('exe')];
    const run = { ...of, automationId: 'aut', status: 'running', createdAt: databaseNow };
    await addRow(
      database,
      'automationExecution',
      { ...run, id: begun, triggerKey: '1', promisedAt: databaseNow, endedAt: null },
      { ...run, id: waits, triggerKey: '2', promisedAt: null, endedAt: null },
      { ...run, id: cancelled, triggerKey: '3', promisedAt: null, status: 'cancelled', endedAt: databaseNow },
    );
    const none = { workflowId: null, temporalUrl: null };
    const wanted = [
      { id: cancelled, ...none },
      { id: waits, ...none },
      { id: begun, workflowId: `automation/${begun}` },
    ];
    expect(await sender.get('/api/v1/automation-executions')).toMatchObject({ body: { executions: wanted } });
    expect(await sender.get('/api/v1/executions?kind=automation')).toMatchObject({ body: { executions: wanted } });
    expect(await sender.get(`/api/v1/automation-executions/${waits}`)).toMatchObject({ body: none });
  });

  it('name no execution of a turn in which the agent was known to be silent', async () => {
    await changeRows(database, 'tenant', { aiEnabled: true, aiMode: 'human_takeover' }, { agencyId });
    const timestamp = Math.floor(Date.now() / 1_000);
    const message = aNetworkMessage({ networkId: 'SILENT', chatId: '15558400101@c.us', timestamp });
    await database.transaction((tx) => applyNetworkEvent(tx, session, { kind: 'message', key: 'SILENT', message }));
    const [turn] = await findRows(database, 'aiTurn', { agencyId }, ['id', 'conversationId']);
    const list = () => sender.get('/api/v1/executions?kind=ai');
    expect(await list()).toMatchObject({
      body: { executions: [{ id: turn?.id, reason: 'human', workflowId: null, temporalUrl: null }] },
    });
    // The workflow begins a turn later than its first message has come.
    await changeRows(database, 'aiTurn', { startedAt: databaseNow, endedAt: databaseNow }, { id: turn?.id });
    expect(await list()).toMatchObject({
      body: { executions: [{ id: turn?.id, workflowId: `ai/${turn?.conversationId}` }] },
    });
  });
});
