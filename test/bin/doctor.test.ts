import { describe, expect, it } from '@jest/globals';
import { databaseFindings } from '../../bin/cli/doctor/database.ts';
import type { Finding } from '../../bin/cli/doctor/finding.ts';
import { memory, space } from '../../bin/cli/doctor/machine.ts';
import { temporalFindings } from '../../bin/cli/doctor/temporal.ts';
import { tenantFindings } from '../../bin/cli/doctor/tenants.ts';
import type { DatabaseHealth } from '../../db/operations/database-health.ts';
import type { TemporalHealth } from '../../loops/dispatch/temporal-health.ts';

const GB = 2 ** 30;

const DATABASE: DatabaseHealth = {
  connections: 12,
  maxConnections: 100,
  clockAheadMs: 3,
  isDurable: true,
  role: 'engine',
  isSuperuser: false,
  hasAutovacuum: true,
  transactionAge: 1_000,
  oldestTransactionSeconds: 2,
  deadTables: [],
  slots: [{ name: 'replica', isActive: true, keptBytes: 20 * GB }],
  isArchivingFailing: false,
  wal: { walBytes: GB, maxWalBytes: GB },
  missingMigrations: [],
  sessions: [],
  endpoints: [],
  automations: { running: 3, overdue: 0, failedLately: 0 },
  backends: [],
  wideCredentials: [],
};

const TEMPORAL: TemporalHealth = {
  namespace: 'engine',
  retentionDays: 7,
  queues: [
    { queue: 'engine', pollers: 2, backlog: 3, backlogAgeSeconds: 0 },
    { queue: 'webhooks', pollers: 1, backlog: 0, backlogAgeSeconds: 0 },
  ],
  schedule: 'runs',
};

const idle = (keptBytes: number) => ({ slots: [{ name: 'left', isActive: false, keptBytes }] });
const troubleOf = (findings: Finding[]): string[] =>
  findings
    .filter(({ level }) => level !== 'ok')
    .map(({ level, about, todo }) => `${level} ${about}: ${todo.join(' ')}`);

describe('what the doctor says of credentials', () => {
  it('names those that hold more than their makers, with what ends them', () => {
    const wideCredentials = [
      { id: 'abcdefabcdef', agencyId: 'acme', makerId: 'fedcbafedcba', why: 'ended' as const },
      { id: 'clk_1', agencyId: 'acme', makerId: 'fedcbafedcba', why: 'scopes' as const },
    ];
    expect(troubleOf(tenantFindings({ ...DATABASE, wideCredentials }))).toEqual([
      'warning Credentials: abcdefabcdef of acme was made by fedcbafedcba, which has ended: ask its owner, or end it ' +
        'with DELETE /api/v1/api-keys/abcdefabcdef. clk_1 of acme was made by fedcbafedcba, which lacks a scope that ' +
        'it has: ask its owner, or end it with DELETE /api/v1/console/links/clk_1.',
    ]);
    expect(troubleOf(tenantFindings(DATABASE))).toEqual([]);
  });
});

describe('what the doctor says of the database', () => {
  it('is nothing while all is well, also where the WAL may not be read', () => {
    expect(troubleOf(databaseFindings(DATABASE))).toEqual([]);
    expect(troubleOf(databaseFindings({ ...DATABASE, wal: null }))).toEqual([]);
  });

  it.each<[string, Partial<DatabaseHealth>, RegExp]>([
    ['no fsync', { isDurable: false }, /^problem Durability: Switch both on/],
    ['a superuser', { role: 'postgres', isSuperuser: true }, /^warning Role: Give DATABASE_URL a role without/],
    ['another clock', { clockAheadMs: -4_000 }, /^warning Clock: Set all hosts by NTP/],
    ['few connections left', { connections: 90 }, /^warning Connections: Raise max_connections/],
    ['no autovacuum', { hasAutovacuum: false }, /^problem Vacuum: Switch autovacuum on/],
    ['old transactions', { transactionAge: 600_000_000 }, /^warning Vacuum: Run VACUUM \(FREEZE\)/],
    ['the end of all transactions', { transactionAge: 1_900_000_000 }, /^problem Vacuum/],
    ['a table full of dead rows', { deadTables: ['message'] }, /^warning Vacuum: Run VACUUM on message/],
    ['a transaction that nobody ends', { oldestTransactionSeconds: 7_200 }, /open for 120 min/],
    [
      'a slot that nobody reads',
      idle(2 * GB),
      /^warning WAL: Drop the slot "left", which no reader uses and which keeps 2.0 GB/,
    ],
    ['a slot that fills the disk', idle(20 * GB), /^problem WAL/],
    ['a log that grows', { wal: { walBytes: 4 * GB, maxWalBytes: GB } }, /^warning WAL: .*3 times max_wal_size/],
    ['an archive that fails', { isArchivingFailing: true }, /^warning WAL: Fix archive_command/],
    ['a schema of before', { missingMigrations: ['0099-next'] }, /^problem Schema: Start the API or a worker/],
  ])('tells an operator of %s', (_what, health, says) => {
    const [first, ...others] = troubleOf(databaseFindings({ ...DATABASE, ...health }));
    expect(first).toMatch(says);
    expect(others).toEqual([]);
  });
});

describe('what the doctor says of automations', () => {
  it('is a warning where some do not go on or have failed', () => {
    expect(troubleOf(tenantFindings(DATABASE))).toEqual([]);
    const automations = { running: 3, overdue: 1, failedLately: 2 };
    expect(troubleOf(tenantFindings({ ...DATABASE, automations }))).toEqual([
      expect.stringMatching(/^warning Automations: Some should have resumed .* Inform their author/),
    ]);
  });
});

describe('what the doctor says of Temporal', () => {
  const [engine, webhooks] = TEMPORAL.queues;
  it.each<[string, Partial<TemporalHealth>, RegExp[]]>([
    ['nothing while all is well', {}, []],
    ['a short memory', { retentionDays: 1 }, [/^warning Namespace: Raise it/]],
    ['no schedule', { schedule: 'missing' }, [/^warning Schedule: A worker creates it/]],
    ['a paused schedule', { schedule: 'paused' }, [/^warning Schedule: .*--unpause/]],
    [
      'a queue at which nobody works',
      { queues: [engine, webhooks].flatMap((queue) => (queue ? [{ ...queue, pollers: 0 }] : [])) },
      [/^problem Queues: Start a worker that serves engine, webhooks/],
    ],
    [
      'a queue that grows',
      { queues: [engine].flatMap((queue) => (queue ? [{ ...queue, backlogAgeSeconds: 90 }] : [])) },
      [/^warning Queues: Tasks wait in engine/],
    ],
  ])('is %s', (_what, health, says) => {
    const found = troubleOf(temporalFindings({ ...TEMPORAL, ...health }));
    expect(found).toEqual(says.map((pattern) => expect.stringMatching(pattern)));
  });
});

describe('what the doctor says of the machine', () => {
  it('grows with how little is left', () => {
    expect([4 * GB, GB / 4, GB / 16].map((bytes) => memory(bytes).level)).toEqual(['ok', 'warning', 'problem']);
    expect([40 * GB, 3 * GB, GB / 2].map((bytes) => space(bytes, '/data').level)).toEqual(['ok', 'warning', 'problem']);
  });
});

describe('what the doctor says of a receiver that fails', () => {
  const endpoint = {
    id: 'whe_1',
    agencyId: 'demo',
    sessionId: null,
    status: 'active',
    lastError: 'connection_refused',
    failingSince: new Date('2026-11-27T03:00:00Z'),
  };
  const said = (how: Partial<typeof endpoint>) =>
    troubleOf(tenantFindings({ ...DATABASE, endpoints: [{ ...endpoint, ...how }] })).join();

  it('tells an operator since when it fails', () => {
    expect(said({})).toContain(
      'whe_1 of demo fails since 2026-11-27T03:00:00.000Z: connection refused (connection_refused); check the receiver',
    );
  });

  it.each([
    ['blocked_address', /give it a public https address; for development, name its range in EGRESS_ALLOW/],
    ['insecure_url', /give it an https address/],
  ])('tells an operator the cure of %s', (lastError, cure) => {
    expect(said({ lastError })).toMatch(cure);
    expect(said({ lastError, status: 'disabled' })).toMatch(/then resume it \(docs/);
  });
});
