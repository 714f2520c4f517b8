import { describe, expect, it } from '@jest/globals';
import type { WorkflowHandle } from '@temporalio/client';
import type { Followed } from '../../activities/sessions/sessions.ts';
import { SIGNALS, STATE_QUERY, UPDATES } from '../../domain/names.ts';
import { eventually } from '../support/eventually.ts';
import {
  DECISION,
  HOUR_MS,
  MINUTE_MS,
  argumentsOf,
  inTurn,
  rests,
  timersOf,
  workflowScene,
  detailsOf,
} from './a-workflow-scene.ts';

const scene = workflowScene('delivery');
const connected = async () => 'connected' as const;
const looks = () => scene.calls('followSession').length;

/** It has looked so often, and nothing is left to do at once. */
async function untilLooks(session: WorkflowHandle, count: number): Promise<void> {
  // A look is counted before it has ended and its timer is set; time that passes meanwhile would pass over both.
  await eventually(async () => looks() === count && (await rests(session)), { what: `look ${count}` });
}

describe('superviseSession: a session is followed until it is gone', () => {
  it('is connected first, then followed; it ends when its row is gone', async () => {
    scene.mock({ connectSession: connected, followSession: inTurn({ status: null }) });
    const session = await scene.start('superviseSession', 'ses_1');
    expect(await session.result()).toBe('gone');
    expect(scene.calls('connectSession')).toEqual([{ sessionId: 'ses_1' }]);
    expect(scene.calls('followSession')).toEqual([{ sessionId: 'ses_1' }]);
  });

  it('is not followed when the backend refuses it', async () => {
    scene.mock({ connectSession: async () => 'refused' });
    const session = await scene.start('superviseSession', 'ses_1');
    expect(await session.result()).toBe('refused');
    expect(looks()).toBe(0);
  });

  it('ends when the backend refuses to make it again', async () => {
    scene.mock({ connectSession: connected, followSession: inTurn({ status: null, refused: true }) });
    const session = await scene.start('superviseSession', 'ses_1');
    expect(await session.result()).toBe('refused');
  });

  it('shows what waits to be sent, since when, and when the session heard anything', async () => {
    const backlog = {
      asOf: '2026-01-31T10:00:00.000Z',
      waiting: 34,
      oldestAt: '2026-01-31T08:00:00.000Z',
      releaseAt: '2026-01-31T10:00:12.000Z',
      restrictedUntil: null,
      lastMessageAt: '2026-01-31T09:59:00.000Z',
    };
    scene.mock({ connectSession: connected, followSession: inTurn<Followed>({ status: 'WORKING', backlog }) });
    const session = await scene.start('superviseSession', 'ses_1');
    await untilLooks(session, 1);
    await eventually(async () =>
      (await detailsOf(session)).includes('**WORKING** · last message of either side: 2026-01-31T09:59'),
    );
    expect(await detailsOf(session)).toContain(
      '34 wait to be sent, the oldest since 2026-01-31T08:00:00.000Z; its pace lets the next one go at 2026-01-31T10:00:12.000Z.',
    );
  });

  it('looks more and more rarely at a session that works, in the end every six hours', async () => {
    scene.mock({ connectSession: connected, followSession: inTurn({ status: 'WORKING' }) });
    const session = await scene.start('superviseSession', 'ses_1');
    await untilLooks(session, 1);
    await scene.pass(24 * HOUR_MS + MINUTE_MS);
    await untilLooks(session, 10);
    const pauses = (await timersOf(session)).map(({ ms }) => ms / MINUTE_MS);
    expect(pauses).toEqual([5, 10, 20, 40, 80, 160, 320, 360, 360, 360]);
  });

  it('costs eleven events for a look that finds nothing new, and a run no more than 340', async () => {
    scene.mock({ connectSession: connected, followSession: inTurn({ status: 'WORKING' }) });
    const session = await scene.start('superviseSession', 'ses_1');
    const lengths: number[] = [];
    for (const days of [0, 1, 1, 1, 1, 1]) {
      await scene.pass(days * 24 * HOUR_MS);
      await eventually(() => rests(session), { what: 'the look to end' });
      lengths.push((await scene.firstRun(session).describe()).historyLength);
    }
    // Four looks a day.
    expect(lengths.slice(-1).map((length, day) => length - (lengths.slice(-2)[day] ?? 0))).toEqual([44]);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(340);
  });

  it('looks sooner at one that does not work, then rarely, and soon again after its status has changed', async () => {
    const [scan, starting] = [{ status: 'SCAN_QR_CODE' }, { status: 'STARTING' }];
    scene.mock({
      connectSession: connected,
      followSession: inTurn<Followed>(scan, scan, scan, scan, scan, starting, { status: null }),
    });
    const session = await scene.start('superviseSession', 'ses_1');
    await session.result();
    expect((await timersOf(session)).map(({ ms }) => ms)).toEqual([10_000, 30_000, 60_000, 300_000, 600_000, 10_000]);
  });

  it('statusChanged: looks once for all the reports that come within a second', async () => {
    scene.mock({ connectSession: connected, followSession: inTurn({ status: 'WORKING' }) });
    const session = await scene.start('superviseSession', 'ses_1');
    await untilLooks(session, 1);
    for (let report = 0; report < 3; report += 1) await session.signal(SIGNALS.statusChanged);
    await scene.pass(1_500);
    await untilLooks(session, 2);
    expect((await timersOf(session)).map(({ summary, ms }) => [summary, ms])).toContainEqual([
      'wait until the status settles',
      1_000,
    ]);
  });

  it('goes on in a new run when its looks are used up; that run does not connect, and has thirty', async () => {
    scene.mock({ followSession: inTurn<Followed>({ status: 'WORKING' }, { status: 'WORKING' }, { status: null }) });
    const session = await scene.start('superviseSession', 'ses_1', 2);
    expect(await session.result()).toBe('gone');
    expect(scene.calls('connectSession')).toEqual([]);
    expect((await scene.firstRun(session).describe()).status.name).toBe('CONTINUED_AS_NEW');
    expect(await argumentsOf(scene.latestRun(session))).toEqual(['ses_1', 30]);
  });
});

describe('superviseSession: a session of which something is to be done', () => {
  const wishes = { wish: 'running', asked: null, acted: null, actedAt: null, restarts: 0, isUsedUp: false } as const;
  const failed = (inMs: number): Followed => ({
    status: 'FAILED',
    wishes,
    next: { deed: 'recovery', at: '2026-01-31T10:00:00.000Z', inMs },
  });
  const deeds = () => scene.calls('carryOut').length;

  it('is brought back when its pause is over, and looked at right after', async () => {
    scene.mock({
      connectSession: connected,
      followSession: inTurn<Followed>(failed(12_000), failed(0), { status: 'WORKING' }),
      carryOut: async () => ({ deed: 'recovery', waitMs: 0 }),
    });
    const session = await scene.start('superviseSession', 'ses_1');
    await untilLooks(session, 1);
    expect(deeds()).toBe(0);
    await scene.pass(12_500);
    await untilLooks(session, 3);
    expect(scene.calls('carryOut')).toEqual([{ sessionId: 'ses_1' }]);
    // The first look at a session that is down comes before its pause is over; here that finds it due.
    expect((await timersOf(session)).map(({ ms }) => ms)).toEqual([10_000, 300_000]);
  });

  it('is asked again after a while when sends are still on their way, and shows what was done', async () => {
    const asked: Followed = {
      status: 'WORKING',
      wishes: { ...wishes, wish: 'logged_out', asked: 'logout' },
      next: { deed: 'logout', at: '2026-01-31T10:00:00.000Z', inMs: 0 },
    };
    scene.mock({
      connectSession: connected,
      followSession: inTurn<Followed>(asked, asked, { status: 'SCAN_QR_CODE', wishes: { ...wishes, acted: 'logout' } }),
      carryOut: inTurn({ deed: null, waitMs: 10_000 }, { deed: 'logout' as const, waitMs: 0 }),
    });
    const session = await scene.start('superviseSession', 'ses_1');
    await untilLooks(session, 1);
    await scene.pass(11_000);
    await untilLooks(session, 3);
    expect(deeds()).toBe(2);
    await eventually(async () => (await detailsOf(session)).includes('did: logout'));
    expect(await session.query(STATE_QUERY)).toMatchObject({ found: { status: 'SCAN_QR_CODE' } });
  });

  /** A session whose operator decides; the decision is recorded with who and why, and looked at. */
  async function decided(update: 'restart' | 'stop' | 'relogin') {
    scene.mock({
      connectSession: connected,
      followSession: inTurn({ status: 'WORKING' }),
      decideSession: async () => undefined,
    });
    const session = await scene.start('superviseSession', 'ses_1');
    await untilLooks(session, 1);
    expect(await session.executeUpdate(update, { args: [DECISION] })).toEqual({ asked: update });
    expect(scene.calls('decideSession')).toMatchObject([{ sessionId: 'ses_1', act: update, ...DECISION }]);
    await scene.pass(1_500);
    await untilLooks(session, 2);
  }

  it('restart: is recorded with who and why, and done next', () => decided(UPDATES.restart));

  it('stop: is recorded with who and why, and done next', () => decided(UPDATES.stop));

  it('relogin: is recorded with who and why, and done next', () => decided(UPDATES.relogin));

  it('move: is carried out with who and why, and looked at; a move to nowhere is refused', async () => {
    scene.mock({
      connectSession: connected,
      followSession: inTurn({ status: 'WORKING' }),
      moveSession: async () => undefined,
    });
    const session = await scene.start('superviseSession', 'ses_1');
    await untilLooks(session, 1);
    await expect(session.executeUpdate(UPDATES.move, { args: [DECISION] })).rejects.toThrow();
    const move = { backend: 'second', ...DECISION };
    expect(await session.executeUpdate(UPDATES.move, { args: [move] })).toEqual({ backend: 'second' });
    expect(scene.calls('moveSession')).toMatchObject([{ sessionId: 'ses_1', ...move }]);
    await scene.pass(1_500);
    await untilLooks(session, 2);
  });

  it('refuses a decision that nobody signs, without a trace in its history', async () => {
    scene.mock({ connectSession: connected, followSession: inTurn({ status: 'WORKING' }) });
    const session = await scene.start('superviseSession', 'ses_1');
    await untilLooks(session, 1);
    await expect(session.executeUpdate(UPDATES.stop, { args: [{ reason: 'why' }] })).rejects.toThrow();
    expect(scene.calls('decideSession')).toEqual([]);
  });
});
