import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { takeOverByPerson } from '../../../db/agent/handover.ts';
import { readAgentDesk } from '../../../db/agent/desk.ts';
import { setAutomation } from '../../../db/automations/automation.ts';
import { setDefault } from '../../../db/automations/agency-default.ts';
import { beginDueExecutions } from '../../../db/automations/due.ts';
import { connectDatabase } from '../../../db/connect.ts';
import { claimDispatches } from '../../../db/dispatch.ts';
import { newId } from '../../../db/engine/new-id.ts';
import { readEngineStatus } from '../../../db/operations/engine-status.ts';
import { sweepRecords } from '../../../db/personal-data/record-retention.ts';
import type { RecordKind } from '../../../db/personal-data/record-retention.ts';
import { sweepRetention } from '../../../db/personal-data/retention.ts';
import { acceptSend } from '../../../db/sending/accept.ts';
import { listBeforeSend } from '../../../db/sending/before-send.ts';
import { claimAtOnce } from '../../../db/sending/claim.ts';
import { releaseHeads } from '../../../db/sending/pace.ts';
import { findSessionById } from '../../../db/sessions/session.ts';
import { ensureTenant } from '../../../db/tenants/tenant.ts';
import { listShares } from '../../../db/tenants/limits.ts';
import { ENCRYPTION_KEY } from '../../support/keys.ts';
import { aNetworkMessage } from '../../support/network-message.ts';
import { changeRows, countRows, databaseNow, deleteRows, findRows, json, rowsOf } from '../../support/rows.ts';
import { takeDatabase } from '../../support/servers.ts';
import { aWorkingSession, SCOPE } from '../a-database.ts';
import { applyNetworkEvent } from '../network/apply-event.ts';

const databaseUrl = await takeDatabase();
const database = await connectDatabase({
  url: databaseUrl,
  directUrl: databaseUrl,
  encryptionKey: ENCRYPTION_KEY,
  webhooks: { publicUrl: 'http://engine.test', timeoutMs: 15_000 },
  poolSize: 4,
  applicationName: 'unfit-rows-test',
  onError: () => undefined,
});
afterAll(() => database.close());
const sessionId = await aWorkingSession(database);
const session = await database.read((queries) => findSessionById(queries, sessionId));
if (!session) throw new Error('The session is not there.');
const found = session;
const scope = { ...SCOPE, sessionId: null };

/** Values that no release writes; each counts as not set where its field has another form. */
const ODD = ['soon', -7, 1.5, true, [], { perMinute: 'fast', from: '25:61', day: 'monday' }, 1e300];

/** The fields whose values statements read. */
const FIELDS = {
  settings: [
    'pace',
    'timeZone',
    'quietHours',
    'typing',
    'mediaRetentionDays',
    'messageRetentionDays',
    'memoryRetentionDays',
    'eventRetentionDays',
    'rawEventRetentionDays',
    'requestRetentionDays',
    'attemptRetentionDays',
    'deleteRevokedMedia',
  ],
  persona: [
    'active',
    'autoReturnHours',
    'answerRecoveredWithinMinutes',
    'maxWaitMs',
    'workingHours',
    'maxTokensPerDay',
    'maxTokensPerContactPerDay',
    'maxRepliesPerContactPerHour',
  ],
  limits: ['share', 'automationsRunning', 'automationsPerMinute', 'tenants', 'tokensPerDay', 'costPerDay'],
} as const;

const fields = Object.entries(FIELDS).flatMap(([column, names]) => names.map((field) => [column, field] as const));

type Json = ReturnType<typeof json>;
const tenant = (values: { settings?: Json; persona?: Json }) => () => changeRows(database, 'tenant', values);
const trigger = (written: unknown) => () => changeRows(database, 'automation', { trigger: json(written) });
const params = (table: 'automation' | 'automationDefault', written: unknown) => () =>
  changeRows(database, table, { params: json(written) });

const whole: [string, string, () => Promise<number>][] = [
  ['settings that are a list', 'settings', tenant({ settings: json(['pace', 'timeZone']) })],
  ['a persona that is a word', 'persona', tenant({ persona: json('Anna') })],
  ['limits that are a number', 'limits', () => changeRows(database, 'agency', { limits: json(7) })],
  ['a trigger of a newer release', 'trigger', trigger({ event: 'message', newer: true })],
  ['a trigger that is a list', 'trigger', trigger([])],
  ['a time that no clock shows', 'trigger', trigger({ event: 'schedule', at: 'soon', days: 3 })],
  ['a wait of no time', 'trigger', trigger({ event: 'unanswered', forMinutes: 'long' })],
  [
    'a default of a newer release',
    'default trigger',
    () => changeRows(database, 'automationDefault', { trigger: json({ event: 'later' }) }),
  ],
  ['parameters that are a list', 'parameters', params('automation', ['texts'])],
  ['a text that is a number', 'parameters', params('automation', { texts: { hello: 7 } })],
  ['texts of a default that are a word', 'default parameters', params('automationDefault', { texts: 'hello' })],
];

const RECORDS: readonly RecordKind[] = ['raw_events', 'events', 'requests', 'attempts'];
let people = 0;

/** All that a message, a send and the loops read of what is configured. Answers the contact's messages that arrived. */
async function aDayOfTheTenant(): Promise<number> {
  const chatId = `1555${7_000_000 + (people += 1)}@c.us`;
  const networkId = newId('evt');
  const timestamp = Math.floor(database.clock.now().getTime() / 1_000);
  const message = aNetworkMessage({ networkId, chatId, timestamp, body: 'Are you there?' });
  const event = {
    kind: 'message',
    key: networkId,
    message,
    ...(people % 2 === 0 ? { isRecovered: true as const } : {}),
  } as const;
  await database.transaction((tx) => applyNetworkEvent(tx, found, event));
  const [conversation] = await findRows(database, 'conversation', { chatId }, ['id']);
  const conversationId = conversation?.id ?? '';
  const accepted = await database.transaction(async (tx) => {
    const sent = await acceptSend(tx, scope, {
      recipient: { conversationId },
      parts: [{ kind: 'text', body: 'Yes' }],
      origin: 'person',
      expires: { afterMs: 60_000 },
    });
    await takeOverByPerson(tx, scope, conversationId, { cause: 'reply' });
    return sent;
  });
  if (accepted.outcome !== 'accepted') throw new Error(accepted.outcome);
  const { messageId } = accepted;
  await database.transaction((tx) => releaseHeads(tx, sessionId));
  await database.read((queries) => listBeforeSend(queries, [messageId]));
  await changeRows(database, 'message', { releasedAt: databaseNow }, { id: messageId, releasedAt: null });
  const claim = { token: randomUUID(), owner: database.wakeups.owner, chosenNetworkId: null };
  const { claim: claimed } = await database.statement((tx) => claimAtOnce(tx, messageId, claim));
  expect(claimed).toBe('claimed');
  await changeRows(database, 'message', { status: 'sent', endedAt: databaseNow }, { id: messageId });
  await database.transaction((tx) => beginDueExecutions(tx, 10));
  await changeRows(database, 'retentionSweep', { endedAt: null });
  await database.transaction((tx) => sweepRetention(tx, 100));
  for (const kind of RECORDS) await database.transaction((tx) => sweepRecords(tx, kind, 10));
  await rowsOf(database, sql`select expire_files(now(), 10)`);
  await database.transaction((tx) => claimDispatches(tx, { token: randomUUID(), size: 10, leaseMs: 1_000 }));
  await database.read((queries) => listShares(queries));
  await database.read((queries) =>
    readAgentDesk(queries, conversationId, {
      running: null,
      budgets: { maxTokensPerDay: 0, maxTokensPerContactPerDay: 0, maxRepliesPerContactPerHour: 0 },
    }),
  );
  await database.transaction((tx) => ensureTenant(tx, { agencyId: SCOPE.agencyId, tenantId: `t${people}` }));
  return countRows(database, 'message', { conversationId, direction: 'in' });
}

async function unfit(): Promise<{ kind: string; id: string }[]> {
  return (await readEngineStatus(databaseUrl)).unfitRows;
}

/** Has the process read the automations again, as it does every ten seconds. */
const forget = () => database.transaction((tx) => Promise.resolve(tx.wake('automation', SCOPE.agencyId)));

describe('a stored row that this release cannot read', () => {
  beforeEach(async () => {
    await changeRows(database, 'tenant', { settings: json({}), persona: null });
    await changeRows(database, 'agency', { limits: json({}) });
    await deleteRows(database, 'automation');
    await deleteRows(database, 'automationDefault');
    const shared = { enabled: true, params: { texts: {} }, keyId: 'key' };
    const byHours = { ...shared, definition: 'by-hours', trigger: { event: 'message', hours: 'open' } } as const;
    const bySilence = { ...shared, definition: 'by-silence', trigger: { event: 'unanswered', forMinutes: 5 } } as const;
    const byTime = { ...shared, definition: 'by-time', trigger: { event: 'schedule', at: '09:00' } } as const;
    await database.transaction(async (tx) => {
      for (const each of [byHours, bySilence, byTime]) await setAutomation(tx, SCOPE, each);
      await setDefault(tx, SCOPE.agencyId, { ...bySilence, definition: 'default' });
    });
  });

  it.each(fields)(
    'in %s, field %s, stops no message, no send and no loop, whatever it holds',
    async (column, field) => {
      const plant = (value: unknown) => {
        const values = { [column]: json({ [field]: value }) };
        return column === 'limits' ? changeRows(database, 'agency', values) : changeRows(database, 'tenant', values);
      };
      for (const value of ODD) {
        await plant(value);
        await forget();
        expect({ value, arrived: await aDayOfTheTenant() }).toEqual({ value, arrived: 1 });
      }
      await plant('{}');
      expect(await unfit()).toContainEqual(expect.objectContaining({ kind: column }));
    },
  );

  it.each(whole)('as %s stops no message, and is named by status and doctor', async (_what, kind, plant) => {
    await plant();
    await forget();
    expect(await aDayOfTheTenant()).toBe(1);
    expect(await unfit()).toContainEqual(
      expect.objectContaining({ kind, id: expect.stringContaining(SCOPE.agencyId) }),
    );
  });

  it('is the only thing that is named: what releases write fits', async () => {
    expect(await unfit()).toEqual([]);
  });
});
