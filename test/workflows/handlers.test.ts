import { readdirSync, readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { DELETED } from '../../db/webhooks/endpoint-progress.ts';
import { STATE_QUERY } from '../../domain/names.ts';
import { RECONCILE, WORKFLOWS } from '../../domain/workflows.ts';
import type * as workflows from '../../workflows/index.ts';
import { UPDATES_OF } from './updates.ts';
import { workflowScene } from './a-workflow-scene.ts';

const scene = workflowScene('delivery', 'webhooks', 'ai', 'sync');

const Handlers = z.array(z.object({ name: z.string(), description: z.string().default('') })).default([]);
const Metadata = z.object({
  definition: z.object({
    queryDefinitions: Handlers,
    signalDefinitions: Handlers,
    updateDefinitions: Handlers,
  }),
  currentDetails: z.string().default(''),
});

const DOCS = new URL('../../docs/operate/', import.meta.url);
const UPDATES_PAGE = readFileSync(new URL('temporal-ui.md', DOCS), 'utf8');
const RUNBOOKS = readdirSync(new URL('runbooks/', DOCS));

const registered: Record<string, { runbook: string; signals: readonly string[] }> = {
  ...WORKFLOWS,
  reconcile: { ...RECONCILE, signals: [] },
};

/** The arguments of each type. The activities respond so that it ends soon. */
const STARTED_WITH: Readonly<Record<keyof typeof workflows, unknown[]>> = {
  deliverMessage: ['msg_1'],
  deliverSlice: [['msg_1']],
  actOnMessage: ['msg_1'],
  fetchMedia: ['msg_1'],
  superviseSession: ['ses_1'],
  deliverWebhooks: ['whk_1'],
  aiConversation: ['cnv_1'],
  syncHistory: ['ses_1'],
  syncContacts: ['ses_1'],
  learnPhones: ['ses_1'],
  rehearse: ['reh_1'],
  eraseContact: ['era_1'],
  exportTenant: ['exp_1'],
  runAutomation: ['exe_1'],
  reconcile: [],
};
const TYPES = Object.keys(STARTED_WITH).filter((type): type is keyof typeof workflows => type in STARTED_WITH);

const READ = { chats: 0, chatsLeft: 0, messages: 0, imported: 0, missed: 0, window: null, startedAt: null } as const;

describe('what an operator finds in Temporal', () => {
  beforeEach(() => {
    scene.mock({
      sendMessage: async () => ({ state: 'ended', status: 'cancelled', reason: 'cancelled_by_request' }),
      sendSlice: async () => ({ sent: 1, ended: 0, onTheirOwn: 0, left: [] }),
      actOnMessage: async () => ({ state: 'nothing' }),
      fetchFile: async () => 'stored',
      connectSession: async () => 'connected',
      followSession: async () => ({ status: scene.calls('followSession').length > 1 ? null : 'WORKING' }),
      lookAtEndpoint: async () => ({ asOf: '2026-01-31T00:00:00.000Z', ...DELETED }),
      beginTurn: async () => ({ state: 'none' }),
      importHistory: async () => ({ ...READ, more: false, cause: null, outcome: null }),
      syncContactPages: async () => ({ contacts: 1, changed: 0, next: null }),
      finishContactSync: async () => undefined,
      fetchPictures: async () => 0,
      askForPhones: async () => ({ asked: 0, found: 0, waiting: 0, held: null, nextInMs: null }),
      runRehearsal: async () => undefined,
      exportOn: async () => ({ isOver: true, what: null, counts: {}, files: 0 }),
      eraseOn: async () => ({ step: 'done', waitsFor: null, counts: {} }),
      beginExecution: async () => ({
        executionId: 'exe_1',
        definition: 'of-another-release',
        version: 1,
        params: {},
        conversationId: null,
        contactId: null,
        sessionId: null,
        begun: { event: 'request' },
      }),
      endExecution: async () => undefined,
      reconcileRows: async () => ({ failed: [], left: [] }),
      readMissingAcks: async () => ({ asked: 0, found: 0 }),
    });
  });

  it.each(TYPES)('%s: its state, its signals and its Updates, each described, and the runbook', async (type) => {
    const execution = await scene.start(type, ...STARTED_WITH[type]);
    await execution.result();
    const { definition, currentDetails } = Metadata.parse(await execution.query('__temporal_workflow_metadata'));
    const { queryDefinitions, signalDefinitions, updateDefinitions } = definition;
    const { runbook, signals } = registered[type] ?? { runbook: '', signals: [] };
    const own = queryDefinitions.filter(({ name }) => !name.startsWith('__'));
    expect(own).toEqual([{ name: STATE_QUERY, description: expect.stringMatching(/\w.{20}/) }]);
    expect(await execution.query(STATE_QUERY)).toBeDefined();

    expect(signalDefinitions.map(({ name }) => name).toSorted()).toEqual(signals.toSorted());
    for (const { description } of signalDefinitions) expect(description).toMatch(/\w.{15}/);

    const updates = UPDATES_OF[type];
    expect(updateDefinitions.map(({ name }) => name).toSorted()).toEqual('none' in updates ? [] : updates.toSorted());
    for (const { description } of updateDefinitions) expect(description).toMatch(/\{ .*actor, reason/);

    expect(currentDetails).toContain(`docs/operate/runbooks/${runbook}.md`);
    expect(RUNBOOKS).toContain(`${runbook}.md`);
    const row = 'none' in updates ? '' : `| ${updates.map((name) => `\`${name}\``).join(', ')} |`;
    expect(UPDATES_PAGE.replaceAll(/ +/g, ' ')).toContain(row && `| \`${type}\` ${row}`);
  });
});
