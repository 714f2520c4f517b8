import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readAutomations } from '../../../bin/automations.ts';
import { Catalogue } from '../../../domain/automations/definition.ts';
import { anAgencyWithScopedKey, call } from '../../support/client.ts';
import type { Agency, Answer } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';

const MONDAY = 1;
const DAY_MS = 86_400_000;

describe('the dry run of an automation without an event', () => {
  let engine: TestEngine;
  let agency: Agency;
  beforeAll(async () => {
    const found = await readAutomations();
    const known = Object.fromEntries(found.list().map(({ name, definition }) => [name, definition]));
    const { ['welcome-contact']: welcome } = known;
    if (!welcome) throw new Error('There is no welcome-contact.');
    // No automation of this release has a schedule, so one of them gets it.
    const configure: typeof welcome.configure = (params) => {
      const configured = welcome.configure(params);
      return 'wrong' in configured
        ? configured
        : { ...configured, trigger: { event: 'schedule', at: '09:00', days: [MONDAY] } };
    };
    const automations = new Catalogue({ ...known, welcomeContact: { ...welcome, configure } });
    engine = await startEngine({ automations });
    agency = await anAgencyWithScopedKey(engine, { agencyId: 'dry-begin' });
  });
  afterAll(() => engine.close());

  const dryRun = (automation: string, body: object): Promise<Answer> =>
    call(engine, 'POST', `/api/v1/automations/${automation}/dry-run`, {
      key: agency.dashboardKey,
      body: { tenantId: agency.tenantId, ...body },
    });

  it('has what a schedule begins within seven days, without a conversation', async () => {
    const { status, body } = await dryRun('welcome-contact', {});
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        eventsRead: 0,
        runs: [{ begun: { event: 'schedule' }, status: 'cancelled', reason: 'conversation_gone' }],
      },
    });
    expect(JSON.stringify(body)).toMatch(/"event":"schedule","at":"[\d-]+T09:00:00.000Z"/);
  });

  it.each([{}, { events: [] }])('begins one run as a request would, with %j beside `begin`', async (beside) => {
    const begin = { at: '2026-03-02T09:00:00Z' };
    expect(await dryRun('welcome-contact', { ...beside, begin, contactName: 'Ada' })).toMatchObject({
      status: 200,
      body: {
        runs: [
          {
            begun: { event: 'request', at: '2026-03-02T09:00:00.000Z' },
            status: 'completed',
            steps: [{ name: 'isOpen' }, { name: 'send' }],
          },
        ],
      },
    });
    const now = Date.now();
    const { body } = await dryRun('follow-up-silent-lead', { ...beside, begin: {} });
    const [, at = ''] = /"event":"request","at":"([^"]+)"/.exec(JSON.stringify(body)) ?? [];
    expect(Math.abs(Date.parse(at) - now)).toBeLessThan(DAY_MS);
  });

  it('says what it needs where nothing can begin it, and which events there are', async () => {
    const error = async (body: object) => (await dryRun('follow-up-silent-lead', body)).body['errors'];
    expect(await error({})).toEqual([
      {
        pointer: '/conversationId',
        message: 'is required, unless the request has `events` or, to begin one run as a request would, `begin`',
      },
    ]);
    expect(await error({ events: [] })).toEqual([
      { pointer: '/events', message: 'must not be empty, unless the request has `begin`' },
    ]);
    expect(await error({ events: [], conversationId: 'cnv_1', begin: {} })).toEqual([
      { pointer: '/conversationId', message: 'cannot be combined with `events`: give one of the two' },
    ]);
    expect(await error({ events: [{ event: 'schedule', at: '2026-03-02T09:00:00Z' }] })).toEqual([
      {
        pointer: '/events/0/event',
        message:
          'must be one of message, conversation.assigned, conversation.released, conversation.labelled, session.status',
      },
    ]);
  });
});
