import { setTimeout as pause } from 'node:timers/promises';
import { seeded } from '../../local/sandbox/random.ts';
import { CLOCK_FAULTS } from './strikes/clock.ts';
import { HALVES_FAULT } from './strikes/halves-fault.ts';
import { KILLS } from './strikes/kills.ts';
import { NETWORK_FAULTS } from './strikes/network.ts';
import { TWO_IDENTITIES } from './strikes/identities.ts';
import { API_KILLED } from './strikes/phone.ts';
import { REPAIR_FAULTS } from './strikes/repairs.ts';
import type { Fault } from './scene.ts';
import { postgresOf, temporalOf } from './strikes/servers.ts';
import { killServer } from './strikes/kill-server.ts';
import { SESSION_FAULTS } from './strikes/sessions.ts';
import { SILENT_BACKEND } from './strikes/silent-backend.ts';
import { SQUEEZE } from './strikes/squeeze.ts';

/** Shorter than the first pause of the webhook ladder, so that each event has only one failed attempt. */
const SINK_DOWN_MS = 3_000;
const WRITERS = 5;
const LINES = 4;

const SERVER_FAULTS: readonly Fault[] = [
  {
    name: 'postgres',
    title: 'kill -9 of PostgreSQL',
    short: 'never',
    strike: ({ ground }) => killServer(ground, 'PostgreSQL', postgresOf),
  },
  {
    name: 'temporal',
    title: 'kill -9 of Temporal',
    short: 'never',
    strike: ({ ground }) => killServer(ground, 'Temporal', temporalOf),
  },
  {
    name: 'sigterm',
    title: 'SIGTERM of the engine',
    short: 'never',
    async strike({ ground }) {
      const code = await ground.engine.stop();
      if (code !== 0) throw new Error(`The engine must stop with exit code 0, and stopped with ${code}.`);
      await ground.startEngine();
      return 'stopped in order and started again';
    },
  },
];

const SINK: Fault = {
  name: 'sink',
  title: 'the webhook receiver is down',
  short: 'never',
  async strike({ ground, ledger, round, random }) {
    const { receiver, sandbox, accounts } = ground;
    const before = receiver.refused;
    receiver.refuse(() => (random() < 0.5 ? 'break' : 503));
    for (const line of Array.from({ length: LINES }, (_, index) => index + 1)) {
      for (const writer of Array.from({ length: WRITERS }, (_, index) => index + 1)) {
        for (const [index, { session }] of accounts.entries()) {
          const text = `round ${round}, account ${index + 1}, person ${writer}, line ${line}`;
          await sandbox.personWrites(session, `1555010${1_100 + writer}`, text);
          ledger.inbound.push({ round, text });
        }
      }
    }
    await pause(SINK_DOWN_MS);
    receiver.refuse(() => null);
    return `${receiver.refused - before} attempts failed in ${SINK_DOWN_MS / 1_000} s`;
  },
};

/** The faults in their order. The slowest to settle come first, and settle while the others strike. */
export const FAULTS: readonly Fault[] = [
  ...SESSION_FAULTS,
  SILENT_BACKEND,
  SQUEEZE,
  ...CLOCK_FAULTS,
  API_KILLED,
  ...REPAIR_FAULTS,
  HALVES_FAULT,
  ...KILLS,
  ...SERVER_FAULTS,
  ...NETWORK_FAULTS,
  TWO_IDENTITIES,
  SINK,
];

/** Selects the faults for which continuous integration has the time, with one of the kills, which the seed chooses. */
export function shortForm(seed: number): readonly Fault[] {
  const kills = FAULTS.filter(({ short }) => short === 'one of the kills');
  const kill = kills[Math.floor(seeded(`${seed}/kill`)() * kills.length)];
  return FAULTS.filter((fault) => fault.short === 'always' || fault === kill);
}
