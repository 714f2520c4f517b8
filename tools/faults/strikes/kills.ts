import { setTimeout as pause } from 'node:timers/promises';
import type { NetworkSend } from '../../demo/sandbox-control.ts';
import { until } from '../../demo/until.ts';
import type { Ground } from '../ground.ts';
import { ABSENT_AFTER_BREAK_MS } from '../ground.ts';
import { readPassports } from '../sends/passports.ts';
import type { Fault, Scene } from '../scene.ts';

/** The backend's routes that the ways to send call. */
const SEND_ROUTES = ['sendText', 'sendImage', 'sendFile', 'sendButtons', 'sendList'];

const HELD_OF_A_ROUTE = 2;
const ENOUGH = 3;
/** The latest messages to check: some of them are sent and not delivered, however long the queue is. */
const LATEST = 30;
/**
 * The network sends a held message this late: after the engine has died, and before a new one may believe that the
 * message is absent.
 */
const LATE_BY_MS = ABSENT_AFTER_BREAK_MS - 500;
const ACKS_LATE_BY_MS = 6_000;
const RANDOM_KILLS = 3;
const MAX_LIFE_MS = 1_500;

/**
 * Kills of the engine at each step of a message's way: messages are held in the step, and then the engine gets SIGKILL.
 */
export const KILLS: readonly Fault[] = [
  {
    name: 'kill',
    title: 'killed at random moments',
    // The short form need not have this fault, because the fault `halves` begins with such a kill.
    short: 'never',
    async strike(scene) {
      for (let time = 1; time <= RANDOM_KILLS; time += 1) {
        await pause(scene.random() * MAX_LIFE_MS);
        await killAndStart(scene.ground);
      }
      return `${RANDOM_KILLS} × SIGKILL, started again on the servers it left behind`;
    },
  },
  {
    name: 'kill-before-claim',
    title: 'killed before the claim',
    short: 'one of the kills',
    async strike({ ground }) {
      const { files } = ground;
      files.hold();
      await until('files to be asked for', () => files.waiting >= ENOUGH);
      const { waiting } = files;
      await ground.killEngine();
      files.release();
      await ground.startEngine();
      return `while ${waiting} files were being fetched`;
    },
  },
  {
    name: 'kill-after-claim',
    title: 'killed between claim and call',
    short: 'one of the kills',
    // A call that the network never acted on looks the same from outside as one that was not made, so this stands for a
    // kill before the call.
    strike: (scene) => killWhileHeld(scene, { kind: 'hang' }, (send) => !send.reachedNetwork, 'never did'),
  },
  {
    name: 'kill-in-call',
    title: 'killed during the call',
    short: 'one of the kills',
    strike: (scene) =>
      killWhileHeld(scene, { kind: 'slow', delayMs: LATE_BY_MS }, (send) => !send.reachedNetwork, 'did afterwards'),
  },
  {
    name: 'kill-before-record',
    title: 'killed between answer and record',
    short: 'one of the kills',
    async strike(scene) {
      // Echoes and acks are lost, too, because they tell as much as the answer.
      await scene.ground.sandbox.arm({ webhook: 'lose', events: ['message.any', 'message.ack', 'message.ack.group'] });
      return killWhileHeld(scene, { kind: 'hangAfter' }, (send) => send.reachedNetwork, 'had done without a word');
    },
  },
  {
    name: 'kill-watching',
    title: 'killed while watching',
    short: 'one of the kills',
    async strike({ ground, ledger, round }) {
      await ground.sandbox.arm({ webhook: 'reorder', events: ['message.ack'], delayMs: ACKS_LATE_BY_MS });
      const watched = await until('messages to be sent and not delivered', async () => {
        const latest = ledger.acceptedIn(round).slice(-LATEST);
        const passports = [...(await readPassports(ground, latest)).values()];
        const sent = passports.filter(({ status }) => status === 'sent').length;
        return sent >= ENOUGH && sent;
      });
      await killAndStart(ground);
      await ground.sandbox.disarm();
      return `while the acks of ${watched} messages were late`;
    },
  },
];

async function killAndStart(ground: Ground): Promise<void> {
  await ground.killEngine();
  await ground.startEngine();
}

/**
 * Holds some calls of each route at the network and then kills the engine; `fault` decides whether the network still
 * sends them.
 */
async function killWhileHeld(
  { ground }: Scene,
  fault: { kind: string; delayMs?: number },
  isHeld: (send: NetworkSend) => boolean,
  whatItDid: string,
): Promise<string> {
  const { sandbox } = ground;
  const before = (await sandbox.sends()).length;
  let armedAt: number | null = null;
  const held = await until('sends to be held', async () => {
    // The earlier ones are not held any more by then, and on a busy machine they may have been too few at a time.
    if (armedAt === null || performance.now() - armedAt > (fault.delayMs ?? Infinity)) {
      await armEachRoute(ground, fault, HELD_OF_A_ROUTE);
      armedAt = performance.now();
    }
    const sends = (await sandbox.sends()).slice(before).filter(isHeld);
    return sends.length >= ENOUGH && sends;
  });
  await ground.killEngine();
  await sandbox.disarm();
  await ground.startEngine();
  return `holding ${held.length} sends, which the network ${whatItDid}`;
}

export async function armEachRoute({ sandbox }: Ground, fault: { kind: string }, count: number): Promise<void> {
  for (const route of SEND_ROUTES) await sandbox.arm({ route, count, ...fault });
}
