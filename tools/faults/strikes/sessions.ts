import { setTimeout as pause } from 'node:timers/promises';
import { until } from '../../demo/until.ts';
import type { Ground } from '../ground.ts';
import { armEachRoute } from './kills.ts';
import type { Fault } from '../scene.ts';

const LOST_FOR_MS = 3_000;
const ENOUGH = 3;
/** The engine lists the backend's sessions twice a minute. */
const MADE_AGAIN_WITHIN_MS = 120_000;

/**
 * Faults of sessions, which come first: the engine cannot look for sends while a session is away, so a send in doubt
 * then may take five minutes to end as `uncertain`.
 */
export const SESSION_FAULTS: readonly Fault[] = [
  {
    name: 'doubt',
    title: 'the session is lost while sends are in doubt',
    short: 'never',
    async strike({ ground }) {
      const { sandbox } = ground;
      const before = (await sandbox.sends()).length;
      await armEachRoute(ground, { kind: 'drop' }, ENOUGH);
      const lost = async () => (await sandbox.sends()).slice(before).filter((send) => !send.reachedNetwork).length;
      await until('sends to be in doubt', async () => (await lost()) >= ENOUGH);
      await loseSessions(ground);
      await sandbox.disarm();
      return `${await lost()} calls did not reach the network, and nobody could look at once`;
    },
  },
  {
    name: 'session',
    title: 'the session is lost and comes back',
    short: 'always',
    async strike({ ground }) {
      await loseSessions(ground);
      return `each for ${LOST_FOR_MS / 1_000} s`;
    },
  },
  {
    name: 'sessions-lost',
    title: 'the backend loses its sessions and tells nobody',
    short: 'never',
    async strike({ ground: { sandbox, accounts } }) {
      const before = new Map<string, number>();
      for (const { session } of accounts) {
        await sandbox.account(session, 'lose');
        before.set(session, (await sandbox.sends(session)).length);
      }
      for (const { session } of accounts) {
        const isBack = async () =>
          (await sandbox.sends(session)).slice(before.get(session)).some((send) => send.reachedNetwork);
        await until('a send from the session that was made again', isBack, MADE_AGAIN_WITHIN_MS);
      }
      return 'each was made again under its name';
    },
  },
];

async function loseSessions({ sandbox, accounts }: Ground): Promise<void> {
  for (const { session } of accounts) await sandbox.account(session, 'status', { status: 'FAILED' });
  await pause(LOST_FOR_MS);
  for (const { session } of accounts) await sandbox.account(session, 'status', { status: 'WORKING' });
  for (const account of accounts) {
    await until('the session to be WORKING again', async () => (await account.status()) === 'WORKING');
  }
}
