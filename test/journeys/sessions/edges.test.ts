import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { createReconcileActivities } from '../../../activities/reconcile.ts';
import { SIGNALS, STATE_QUERY } from '../../../domain/names.ts';
import type { SessionProgress } from '../../../workflows/sessions/session-story.ts';
import { anAgencyWithScopedKey, call, registerDashboard } from '../../support/client.ts';
import { startEngine } from '../../support/engine.ts';
import type { TestEngine } from '../../support/engine.ts';
import { eventually } from '../../support/eventually.ts';
import { BACKEND_KEY } from '../../support/keys.ts';
import { changeRows, findRows, later, toldPayloads } from '../../support/rows.ts';
import { sendsOf } from '../../support/sandbox-record.ts';
import { send, untilStatus } from '../../support/sends.ts';

/** A name that releases before the limit gave to a session, and some backends do not take. */
const LONG_NAME = 'x'.repeat(60);

const Page = z.object({ events: z.array(z.object({ body: z.string() })) });
const Told = z.object({
  event: z.string(),
  payload: z.object({ body: z.string().optional(), reason: z.string().nullish() }),
});

/**
 * Until then it looks by itself once more, for the session has only just begun to work. A signal that comes afterwards
 * changes nothing, so the timer need not be the last event.
 */
async function untilSupervisorRests(engine: TestEngine, sessionId: string): Promise<void> {
  await eventually(
    async () => {
      if ((await findRows(engine.database, 'dispatch', { workflowId: `session/${sessionId}` })).length > 0)
        return false;
      const { events } = await engine.temporal.workflow.getHandle(`session/${sessionId}`).fetchHistory();
      const startedTimers = new Map(
        events?.flatMap(({ timerStartedEventAttributes: timer }) => (timer ? [[timer.timerId, timer]] : [])),
      );
      for (const { timerFiredEventAttributes: fired, timerCanceledEventAttributes: cancelled } of events ?? [])
        startedTimers.delete(fired?.timerId ?? cancelled?.timerId);
      const isBusy =
        events?.at(-1)?.workflowTaskStartedEventAttributes ?? events?.at(-1)?.workflowTaskScheduledEventAttributes;
      return !isBusy && [...startedTimers.values()].some((timer) => Number(timer.startToFireTimeout?.seconds) >= 300);
    },
    { what: 'the supervisor to rest' },
  );
}

describe('connectSession, followSession: a session at a backend that is not kind', () => {
  let engine: TestEngine;

  beforeAll(async () => {
    engine = await startEngine({ listSessionsEveryMs: 200 });
  });
  afterAll(() => engine.close());

  const backend = (method: string, path: string) =>
    fetch(`${engine.sandbox.url}/api/sessions/${path}`, { method, headers: { 'x-api-key': BACKEND_KEY } });
  const statusOf = async (key: string, session: string) =>
    (await call(engine, 'GET', `/api/v1/sessions/${session}`, { key })).body;
  const creations = async () => {
    const record = await engine.control('GET', '/record');
    return JSON.stringify(record).match(/"method":"POST","path":"\/api\/sessions","query"/g)?.length ?? 0;
  };

  it('connects for an agency and a tenant whose ids are UUIDs', async () => {
    const agency = await anAgencyWithScopedKey(engine, { agencyId: randomUUID(), tenantId: randomUUID() });
    expect(agency.session.name).toMatch(/^wa_agency_[\w-]+_[0-9a-f]{16}$/);
    expect(agency.session.name.length).toBeLessThanOrEqual(54);
  });

  it('that is given too long a name is refused at the door', async () => {
    const key = await registerDashboard(engine, { agencyId: 'longnames', dashboardUrl: 'http://127.0.0.1:9/' });
    const body = { agencyId: 'longnames', tenantId: 't1', name: 'y'.repeat(55) };
    expect(await call(engine, 'POST', '/api/v1/sessions', { key, body })).toMatchObject({
      status: 422,
      body: { code: 'invalid_request' },
    });
  });

  it('that the backend will never make fails with the reason, and is not asked for again and again', async () => {
    const { scopedKey: key, session } = await anAgencyWithScopedKey(engine, { agencyId: 'refused' });
    // As an older release left it, at a backend that has become strict.
    await engine.control('POST', `/sessions/${session.name}/lose`);
    await changeRows(engine.database, 'session', { name: LONG_NAME }, { id: session.id });
    const failed = await eventually(async () => {
      const status = await statusOf(key, session.id);
      return status['status'] === 'FAILED' ? status : undefined;
    });
    expect(failed).toMatchObject({ lastError: 'session_name_refused', name: LONG_NAME });
    await eventually(
      async () => {
        // A last event of the backend may wake it once more.
        if ((await findRows(engine.database, 'dispatch', { workflowId: `session/${session.id}` })).length > 0)
          return false;
        const description = await engine.temporal.workflow.getHandle(`session/${session.id}`).describe();
        return description.status.name === 'COMPLETED';
      },
      { what: 'its supervisor to end' },
    );
    const asked = await creations();
    await changeRows(engine.database, 'session', { supervisedAt: null }, { id: session.id });
    await createReconcileActivities(engine).reconcileRows({ all: false });
    expect(await findRows(engine.database, 'dispatch', { workflowId: `session/${session.id}` })).toEqual([]);
    expect(await creations()).toBe(asked);
  });

  it('that the backend has lost is noticed, told and made again though nobody sends', async () => {
    const { scopedKey: key, session } = await anAgencyWithScopedKey(engine, { agencyId: 'loses' });
    const told = () => toldPayloads(engine.database, { sessionId: session.id, type: 'session.status' });
    await untilSupervisorRests(engine, session.id);
    const before = (await told()).length;
    await engine.control('POST', `/sessions/${session.name}/lose`);
    await eventually(async () => (await backend('GET', session.name)).status === 200, {
      what: 'the session to be made again',
    });
    await eventually(async () => (await told()).slice(before).at(-1)?.status === 'WORKING', {
      what: 'session.status to be told',
    });
    expect((await told()).slice(before).map(({ status }) => status)).toContain('STARTING');
    expect((await statusOf(key, session.id))['status']).toBe('WORKING');
    expect(await sendsOf(engine, session.name)).toEqual([]);
  });

  it('that was logged out has no phone and no name any more', async () => {
    const { scopedKey: key, session } = await anAgencyWithScopedKey(engine, { agencyId: 'leaves' });
    await engine.control('POST', '/faults', { webhook: 'lose', session: session.name, count: 100 });
    expect(await statusOf(key, session.id)).toMatchObject({
      phone: expect.any(String),
      accountName: expect.any(String),
    });
    await engine.control('POST', `/sessions/${session.name}/status`, { status: 'SCAN_QR_CODE' });
    const waiting = await eventually(async () => {
      const status = await statusOf(key, session.id);
      return status['status'] === 'SCAN_QR_CODE' ? status : undefined;
    });
    expect(waiting).toMatchObject({ phone: null, accountName: null });
    expect((await call(engine, 'GET', '/api/v1/sessions/me', { key })).body).toMatchObject({
      code: 'session_not_ready',
    });
    await engine.control('DELETE', '/faults');
  });

  it('that shows no code says so instead of keeping the caller', async () => {
    const { scopedKey: key, session } = await anAgencyWithScopedKey(engine, { agencyId: 'nocode' });
    // The backend waits for a code longer than anybody should.
    await engine.control('POST', '/faults', { route: 'qr', kind: 'hang', session: session.name });
    const answer = await call(engine, 'GET', `/api/v1/sessions/${session.id}/qr`, { key });
    expect(answer).toMatchObject({ status: 409, body: { code: 'session_not_ready' } });
    expect(answer.headers.get('retry-after')).toBe('2');
  });
});

describe('a session that says that it works and tells of nothing', () => {
  it('is found, brings in what it has missed once, is restarted, and hears again', async () => {
    const engine = await startEngine();
    try {
      const agency = await anAgencyWithScopedKey(engine, { agencyId: 'silent' });
      const { scopedKey: key, session } = agency;
      const supervisor = engine.temporal.workflow.getHandle(`session/${session.id}`);
      const says = (text: string, from: string) => {
        const timestamp = Math.floor(engine.database.clock.now().getTime() / 1_000);
        return engine.control('POST', `/sessions/${session.name}/inbound`, { from, text, timestamp });
      };
      const look = async (ms: number) => {
        engine.database.clock.advance(ms);
        await supervisor.signal(SIGNALS.statusChanged);
      };
      const events = async () => {
        const answer = await call(engine, 'GET', '/api/v1/webhooks/events?after=start', { key });
        const told = Page.parse(answer.body).events.map(({ body }) => Told.parse(JSON.parse(body)));
        return (
          told
            // Events of the import at connection may come before or after the first message.
            .filter(({ event }) => !['session.status', 'contact.updated', 'sync.progress'].includes(event))
            .map(({ event, payload }) => ({ event, what: payload.body ?? payload.reason }))
        );
      };
      const until = (what: string, holds: (told: { event: string; what: unknown }[]) => boolean) =>
        eventually(async () => holds(await events()), { what });
      const status = async () => (await call(engine, 'GET', `/api/v1/sessions/${session.id}`, { key })).body;

      await says('are you open?', '15550100701');
      await until('the first message', (told) => told.length === 1);
      await engine.control('POST', '/faults', { webhook: 'silent', session: session.name });
      // The engine takes events all the while, although no process runs for hours here.
      await changeRows(engine.database, 'receiving', { beatAt: later({ days: 1 }) });
      engine.database.clock.advance(5 * 3_600_000);
      await says('is anybody there?', '15550100701');
      await says('hello', '15550100702');
      await look(3_600_000);
      await until('what was missed', (told) => told.length === 4);
      expect(await status()).toMatchObject({ silentSince: expect.any(String) });
      // The restart has ended the silence, and what was fetched comes once more, late.
      const shown = await eventually(async () => {
        // A busy worker may not answer in time.
        const progress = await supervisor.query<SessionProgress>(STATE_QUERY).catch(() => undefined);
        const found = progress?.found;
        const isRestarted = found?.wishes?.acted === 'restart' && found.wishes.asked === null;
        return isRestarted && found.status === 'WORKING' && found.silence;
      });
      expect(shown).toMatchObject({ reason: 'messages_missed', since: expect.any(String), restarts: 1 });
      await eventually(async () => {
        return (
          (await findRows(engine.database, 'backendEvent', { sessionName: session.name, appliedAt: null })).length === 0
        );
      });
      await says('at last', '15550100702');
      await until('the next message', (told) => told.some(({ what }) => what === 'at last'));
      await look(120_000);
      await until('the end of the silence', (told) => told.some(({ event }) => event === 'session.recovered'));
      const [first, silent, ...rest] = await events();
      expect([first?.what, silent]).toEqual(['are you open?', { event: 'session.silent', what: 'messages_missed' }]);
      expect(rest.map(({ what }) => what)).toEqual(['is anybody there?', 'hello', 'at last', 'heard']);
      expect(await status()).toMatchObject({ status: 'WORKING', silentSince: null });
      const metrics = await (await fetch(engine.metricsUrl)).text();
      expect(metrics).toContain('engine_backend_session_silences{backend="default"} 1');
    } finally {
      await engine.close();
    }
  });
});

describe('a send whose outcome is looked for at a backend that has lost its session', () => {
  it('makes the session be looked at, and made again', async () => {
    const settleDelays = {
      afterErrorAnswerMs: 300,
      afterBrokenConnectionMs: 120_000,
      longestFileCallMs: 0,
      giveUpAfterMs: 300_000,
    };
    const engine = await startEngine({ settleDelays });
    try {
      const agency = await anAgencyWithScopedKey(engine, { agencyId: 'lostwhile' });
      const { id, name } = agency.session;
      await untilSupervisorRests(engine, id);
      await engine.control('POST', '/faults', { route: 'sendText', kind: 'drop', session: name });
      const { messageId } = await send(engine, agency, '15550100502', 'nobody knows');
      await untilStatus(engine, agency, messageId, 'sending');
      await engine.control('POST', `/sessions/${name}/lose`);
      await eventually(
        async () => {
          const headers = { 'x-api-key': BACKEND_KEY };
          return (await fetch(`${engine.sandbox.url}/api/sessions/${name}`, { headers })).status === 200;
        },
        { what: 'the session to be made again' },
      );
    } finally {
      await engine.close();
    }
  });
});
