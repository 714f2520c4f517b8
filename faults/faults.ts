import { setTimeout as pause } from 'node:timers/promises';
import { signal } from '../embedded/child-process.ts';
import type { ProcessIdentity } from '../embedded/process-identity.ts';
import { until } from '../demo/until.ts';
import type { Random } from '../sandbox/random.ts';
import type { Ground } from './ground.ts';
import type { Ledger } from './ledger.ts';
import { postgresOf, temporalOf } from './servers.ts';

interface Scene {
  ground: Ground;
  ledger: Ledger;
  round: number;
  /** The fault's own: the same seed makes the same fault. */
  random: Random;
}

export interface Fault {
  /** The word for `--only`. */
  name: string;
  title: string;
  /** Strikes, waits until what broke is whole again, and says what was done. Throws when a promise of its own is broken. */
  strike(scene: Scene): Promise<string>;
}

const OUTAGE_MS = 5_000;
/** Shorter than the first step of the webhook ladder, so that one failed attempt per event is all there is. */
const SINK_DOWN_MS = 3_000;
const WRITERS = 5;
const LINES = 4;

/** The kill of the engine first: what it had leased comes free while the others strike. */
export const FAULTS: readonly Fault[] = [
  {
    name: 'engine',
    title: 'kill -9 of the engine',
    async strike({ ground }) {
      await ground.engine.signal('SIGKILL');
      await ground.startEngine();
      return 'started again on the servers it left behind';
    },
  },
  {
    name: 'postgres',
    title: 'kill -9 of PostgreSQL',
    strike: ({ ground }) => killServer(ground, 'PostgreSQL', postgresOf),
  },
  {
    name: 'temporal',
    title: 'kill -9 of Temporal',
    strike: ({ ground }) => killServer(ground, 'Temporal', temporalOf),
  },
  {
    name: 'sigterm',
    title: 'SIGTERM of the engine',
    async strike({ ground }) {
      const code = await ground.engine.stop();
      if (code !== 0) throw new Error(`The engine must stop with exit code 0, and stopped with ${code}.`);
      await ground.startEngine();
      return 'stopped in order and started again';
    },
  },
  {
    name: 'backend',
    title: 'the backend cannot be reached',
    async strike({ ground, random }) {
      if (random() < 0.5) {
        await ground.sandbox.arm({ downMs: OUTAGE_MS });
        await pause(OUTAGE_MS);
        return `connections refused for ${OUTAGE_MS / 1_000} s`;
      }
      await ground.sandbox.arm({ refuse: true });
      await pause(OUTAGE_MS);
      await ground.sandbox.arm({ refuse: false });
      return `connections broken for ${OUTAGE_MS / 1_000} s`;
    },
  },
  {
    name: 'drops',
    title: 'the connection drops after the send',
    async strike({ ground, random }) {
      const count = 5 + Math.floor(random() * 15);
      await ground.sandbox.arm({ route: 'sendText', kind: 'dropAfter', count });
      return `for ${count} sends`;
    },
  },
  {
    name: 'sink',
    title: 'the webhook receiver is down',
    async strike({ ground, ledger, round, random }) {
      const { receiver, sandbox, session } = ground;
      const before = receiver.refused;
      receiver.refuse(() => (random() < 0.5 ? 'break' : 503));
      for (const line of Array.from({ length: LINES }, (_, index) => index + 1)) {
        for (const writer of Array.from({ length: WRITERS }, (_, index) => index + 1)) {
          const text = `round ${round}, person ${writer}, line ${line}`;
          await sandbox.personWrites(session, `1555010${1_100 + writer}`, text);
          ledger.inbound.push({ round, text });
        }
      }
      await pause(SINK_DOWN_MS);
      receiver.refuse(() => null);
      return `${receiver.refused - before} attempts failed in ${SINK_DOWN_MS / 1_000} s`;
    },
  },
];

/** The engine must notice, say so in a sentence, stop, and carry on when it is started again. */
async function killServer(
  ground: Ground,
  name: string,
  find: (dataDir: string) => ProcessIdentity | undefined | Promise<ProcessIdentity | undefined>,
): Promise<string> {
  const server = await find(ground.machine.dataDir);
  if (!server) throw new Error(`${name} does not run.`);
  signal(server, 'SIGKILL');
  await until(`the engine to stop after the death of ${name}`, () => ground.engine.hasExited);
  const code = await ground.engine.exited();
  const sentence = `${name} has ended.`;
  if (code !== 1) throw new Error(`The engine must stop with exit code 1, and stopped with ${code}.`);
  if (!ground.engine.output.includes(sentence)) throw new Error(`The engine must say "${sentence}".`);
  await ground.startEngine();
  return 'the engine stopped with a sentence and was started again';
}
