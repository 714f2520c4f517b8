import { describe, expect, it } from '@jest/globals';
import type { Facts } from '../../bin/cli/status/facts.ts';
import { linesOf } from '../../bin/cli/status/lines.ts';
import { MAX_COUNTED } from '../../db/operations/engine-status.ts';
import type { EngineStatus } from '../../db/operations/engine-status.ts';
import type { TroubledEndpoint } from '../../db/operations/troubled-endpoints.ts';

const NOTHING = { count: 0, oldestSeconds: null };
const FAILING: TroubledEndpoint = {
  id: 'whe_1',
  agencyId: 'demo',
  sessionId: null,
  status: 'active',
  lastError: 'timeout',
  failingSince: new Date('2026-11-22T10:00:00Z'),
};
const DISABLED = { ...FAILING, id: 'whe_2', sessionId: 'ses_1', status: 'disabled' };

const WELL: EngineStatus = {
  databaseVersion: '18.4',
  databaseBytes: 36_700_160,
  processes: 2,
  workers: 1,
  shardsWithoutOwner: 0,
  sessions: { WORKING: 12 },
  restrictedSessions: 0,
  queued: NOTHING,
  holds: {},
  untriedMessages: NOTHING,
  stoppedSessions: [],
  suspendedDashboards: 0,
  sending: 0,
  scheduled: 0,
  uncertain: 0,
  endpoints: { active: 3 },
  failingEndpoints: 0,
  supervisedSessions: 12,
  troubledEndpoints: [],
  unreadableSecrets: 0,
  pendingDeliveries: NOTHING,
  untriedDeliveries: NOTHING,
  unappliedEvents: NOTHING,
  owed: NOTHING,
  owedToPeople: NOTHING,
  turns: [],
  missingContents: 0,
  promises: NOTHING,
  failingEvents: 0,
  unfitRows: [],
  unreadablePeppers: [],
  repairs: {
    reconcileAgeSeconds: 12,
    oldestSendingSeconds: null,
    unappliedBackendEventSeconds: null,
    oldestHeldEventSeconds: null,
    mediaFetches: 0,
    parkedDispatches: 0,
    parkedBackendEvents: 0,
    parkedOwnMessages: 0,
    unknownReports: 0,
    openGaps: 0,
    stuckWorkflows: 0,
    stepFailures: [],
  },
};

function facts(status: Partial<EngineStatus>, others: Partial<Facts> = {}): Facts {
  return {
    version: '0.2.0',
    node: '24.21.0',
    runs: { pid: 17, version: '0.2.0', since: '2026-11-22T10:00:00.000Z' },
    comesOrGoes: null,
    uiUrl: null,
    api: { is: 'found', value: { url: 'http://127.0.0.1:3000', troubles: [], answers: [] } },
    database: { is: 'found', value: { ...WELL, ...status } },
    temporal: {
      is: 'found',
      value: { address: '127.0.0.1:7233', serverVersion: '1.32.0', running: 15, supervisors: 12, broken: 0, paused: 0 },
    },
    disk: { dataDir: '/data', usedBytes: 2 ** 27, freeBytes: 2 ** 34 },
    ...others,
  };
}

describe('what `engine status` says', () => {
  it('are ten lines without anything to do when all is well', () => {
    const lines = linesOf(facts({}));
    expect(lines).toHaveLength(10);
    expect(lines.flatMap(({ todo }) => todo)).toEqual([]);
  });

  it('says how fast the database and Temporal answer the API', () => {
    const answers = [
      { name: 'database', ms: 3 },
      { name: 'temporal', ms: 240 },
    ];
    const api: Facts['api'] = { is: 'found', value: { url: 'http://127.0.0.1:3000', troubles: [], answers } };
    expect(linesOf(facts({}, { api })).find(({ about }) => about === 'API')?.says).toBe(
      'http://127.0.0.1:3000 is ready; database in 3 ms; temporal in 240 ms',
    );
  });

  it('is that the engine starts or stops, and nothing of a part that is missing for that', () => {
    const missing = { is: 'missing', why: 'not known while the engine starts or stops' } as const;
    const lines = linesOf(
      facts({}, { runs: null, comesOrGoes: 18, api: missing, database: missing, temporal: missing, disk: null }),
    );
    expect(lines.map(({ about }) => about)).toEqual(['Engine', 'API', 'Database', 'Temporal']);
    expect(lines[0]?.says).toContain('is starting or stopping (process 18)');
    expect(lines.flatMap(({ todo }) => todo)).toEqual([expect.stringContaining('Ask again once')]);
  });

  const CASES: [title: string, given: Facts, about: string, says: RegExp, todo: RegExp][] = [
    [
      'sends that nobody knows the outcome of',
      facts({ uncertain: 2, queued: { count: 40, oldestSeconds: 90 }, holds: { pace: 38 } }),
      'Messages',
      /^40 queued \(oldest 90 s\), 38 of them held by pace or hours, 0 being sent, 2 uncertain$/,
      /Update "resolve"/,
    ],
    [
      'sends that wait for a backend that is away',
      facts({ queued: { count: 9, oldestSeconds: 90 }, holds: { pace: 1, restricted: 4, backend: 4 } }),
      'Messages',
      /^9 queued \(oldest 90 s\), 4 of them held by the network's restriction, 1 of them held by pace or hours, 4 of them waiting for the backend, 0 being sent/,
      /A backend does not answer/,
    ],
    [
      'messages that nothing holds and nobody tried',
      facts({
        queued: { count: 9, oldestSeconds: 900 },
        holds: { pace: 4 },
        untriedMessages: { count: 5, oldestSeconds: 300 },
      }),
      'Messages',
      /^9 queued \(oldest 15 min\), 5 of them not tried yet \(oldest 5 min\), 4 of them held by pace or hours, 0 being sent/,
      /^The engine is late/,
    ],
    [
      'events that wait although their receivers are well',
      facts({ untriedDeliveries: { count: 5, oldestSeconds: 300 } }),
      'Webhooks',
      /0 failing/,
      /^Events wait for their first attempt/,
    ],
    [
      'an answer that is late',
      facts({ owed: { count: 169, oldestSeconds: 1_440 } }),
      'Agent',
      /^169 messages owed an answer \(oldest 24 min\)/,
      /^An answer is late/,
    ],
    [
      'messages whose content never arrived',
      facts({ missingContents: 2 }),
      'Agent',
      /no turn$/,
      /^The content of 2 messages of the last day never arrived.*unread-contents.*unreadable-data\.md/,
    ],
    [
      'promises that Temporal does not take',
      facts({ promises: { count: 1_030, oldestSeconds: 1_440 } }),
      'Repairs',
      /^1030 promises waiting \(oldest 24 min\)/,
      /^Work waits for Temporal/,
    ],
    [
      'accounts that the network restricts',
      facts({ restrictedSessions: 1 }),
      'Sessions',
      /^12 connected \(WORKING\); 1 restricted by the network$/,
      /Send to no new people/,
    ],
    [
      'a backlog that is more than is counted',
      facts({ queued: { count: MAX_COUNTED + 1, oldestSeconds: 7_300 } }),
      'Messages',
      /^more than 100000 queued \(oldest 2 h\)/,
      /over an hour/,
    ],
    [
      'a dashboard that is suspended, whose messages wait',
      facts({ queued: { count: 5, oldestSeconds: 7_300 }, holds: { suspended: 5 }, suspendedDashboards: 1 }),
      'Messages',
      /^5 queued .* 0 uncertain, 1 dashboard suspended$/,
      /over an hour/,
    ],
    [
      'receivers that fail',
      facts({ endpoints: { active: 3, disabled: 1 }, failingEndpoints: 2, troubledEndpoints: [FAILING, DISABLED] }),
      'Webhooks',
      /^endpoints: 3 active, 1 disabled, 2 failing; 0 events pending$/,
      /^whe_1 of demo fails since 2026-11-22T10:00:00.000Z: timeout \(timeout\); check .*--workflow-id endpoint\/whe_1 .*\nwhe_2 of demo for ses_1 is disabled.*resume it.*--workflow-id endpoint\/whe_2 .*\n1 more .*\.\/engine sql "select /,
    ],
    [
      'endpoints whose secrets another key has sealed',
      facts({ unreadableSecrets: 3, pendingDeliveries: { count: 2, oldestSeconds: 90 } }),
      'Webhooks',
      /0 failing; 2 events pending/,
      /^Cannot be signed for: 3. ENGINE_ENCRYPTION_KEY is not the key/,
    ],
    [
      'a session that waits for its scan',
      facts({ sessions: { SCAN_QR_CODE: 1 } }),
      'Sessions',
      /1 to scan \(SCAN_QR_CODE\)/,
      /scan/,
    ],
    ['no worker', facts({ workers: 0 }), 'Database', /2 processes of the engine, 0 delivering/, /start a worker/],
    [
      'an agent whose models fail',
      facts({
        turns: [
          { outcome: 'reply', silence: null, count: 2 },
          { outcome: 'reply', silence: 'hours', count: 1 },
          { outcome: 'silence', silence: 'model_failed', count: 1 },
        ],
      }),
      'Agent',
      /last hour: 3 reply, 1 silent: model_failed/,
      /Models failed/,
    ],
    [
      'what is parked',
      facts({ repairs: { ...WELL.repairs, parkedBackendEvents: 3 } }),
      'Repairs',
      /3 events/,
      /\.\/engine parked-events/,
    ],
    [
      'events that cannot be applied',
      facts({ failingEvents: 2, repairs: { ...WELL.repairs, unappliedBackendEventSeconds: 900 } }),
      'Repairs',
      /2 events cannot be applied/,
      /^Events of the backend that cannot be applied: 2\./,
    ],
    [
      'what the backend reported and this version does not know',
      facts({ repairs: { ...WELL.repairs, unknownReports: 3 } }),
      'Repairs',
      /0 stuck/,
      /^The backend reported 3 things that this version does not know: GET \/api\/v1\/admin\/unknown-reports\./,
    ],
    [
      'a stored row that does not fit',
      facts({ unfitRows: [{ kind: 'settings', id: 'demo/t1', pointer: '/timeZone' }] }),
      'Repairs',
      /0 stuck/,
      /^Stored settings of demo\/t1 is invalid in this release at \/timeZone/,
    ],
    [
      'erased addresses that no key opens',
      facts({ unreadablePeppers: ['demo/t1'] }),
      'Repairs',
      /0 stuck/,
      /erased_pepper\) of demo\/t1: their events wait/,
    ],
    [
      'a reconcile that does not run',
      facts({ repairs: { ...WELL.repairs, reconcileAgeSeconds: 900 } }),
      'Repairs',
      /0 stuck/,
      /check that a worker runs/,
    ],
    [
      'red executions',
      facts(
        {},
        {
          temporal: {
            is: 'found',
            value: { address: 'a:1', serverVersion: '1.32.0', running: 3, supervisors: 12, broken: 2, paused: 0 },
          },
        },
      ),
      'Temporal',
      /2 broken/,
      /the view "Broken"/,
    ],
    [
      'executions that somebody has paused',
      facts(
        {},
        {
          temporal: {
            is: 'found',
            value: { address: 'a:1', serverVersion: '1.32.0', running: 3, supervisors: 12, broken: 0, paused: 1 },
          },
        },
      ),
      'Temporal',
      /0 broken, 1 paused/,
      /Unpause them/,
    ],
    [
      'sessions whose executions somebody has deleted',
      facts({ supervisedSessions: 14 }),
      'Temporal',
      /15 executions running/,
      /^2 sessions without an execution in Temporal.*deletion.*within two minutes/,
    ],
    [
      'a Temporal that is down',
      facts({}, { temporal: { is: 'missing', why: 'down' } }),
      'Temporal',
      /down/,
      /wait for it/,
    ],
    [
      'an engine of which nothing runs, and which accepts nothing then',
      facts({}, { api: { is: 'missing', why: 'down' }, temporal: { is: 'missing', why: 'down' } }),
      'Temporal',
      /down/,
      /^The engine sends nothing without it: /,
    ],
    [
      'files of another release than the one that runs',
      facts({}, { runs: { pid: 17, version: '0.1.0', since: 'yesterday' } }),
      'Engine',
      /^0\.1\.0, process 17/,
      /restart the engine/,
    ],
    [
      'a backend that does not answer the API',
      facts(
        {},
        {
          api: {
            is: 'found',
            value: {
              url: 'http://127.0.0.1:3000',
              troubles: ['backend: the messaging backend does not answer'],
              answers: [],
            },
          },
        },
      ),
      'API',
      /answers$/,
      /^backend: the messaging backend does not answer\. Check that it runs.*BACKEND_URL.*sends wait/,
    ],
    [
      'a full disk',
      facts({}, { disk: { dataDir: '/data', usedBytes: 0, freeBytes: 5 } }),
      'Disk',
      /0 MB are free/,
      /full/,
    ],
  ];

  it.each(CASES)('tells of %s, and what to do', (_title, given, about, says, todo) => {
    const line = linesOf(given).find((each) => each.about === about);
    expect(line?.says).toMatch(says);
    expect(line?.todo.join('\n')).toMatch(todo);
  });

  it('tells an operator to start an engine of which nothing answers', () => {
    const missing = { is: 'missing', why: 'none' } as const;
    const stopped = facts({}, { runs: null, api: missing, database: missing, temporal: missing });
    expect(linesOf(stopped)[0]?.todo).toEqual([expect.stringMatching(/^Start it with "npm start"/)]);
    expect(linesOf(facts({}, { runs: null }))[0]?.todo).toEqual([]);
  });

  it('tells what is left to tell where the database cannot be read', () => {
    const lines = linesOf(facts({}, { database: { is: 'missing', why: 'cannot be read: ECONNREFUSED' } }));
    expect(lines.map(({ about }) => about)).toEqual(['Engine', 'API', 'Database', 'Temporal', 'Disk']);
    expect(lines[2]).toMatchObject({
      says: 'cannot be read: ECONNREFUSED',
      todo: [expect.stringContaining('PostgreSQL')],
    });
  });
});
