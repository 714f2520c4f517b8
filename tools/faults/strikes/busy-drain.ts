import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { disorderIn } from '../../demo/sequence.ts';
import { until } from '../../demo/until.ts';
import type { Delivery } from '../../demo/webhook-receiver.ts';
import type { Halves } from './halves.ts';
import type { Scene } from '../scene.ts';

const WRITERS = 12;
const LINES = 6;
/** The number of attempts that an endpoint gets at a time. */
const AT_ONCE = 10;
const ANSWERED_AFTER_MS = 20;
/** After this many arrivals the drain counts as busy; more events still wait then. */
const BUSY = 40;

/** Ends the worker by the signal while it drains a backlog, and starts it again. Returns how many events came again. */
export async function endInBusyDrain(
  scene: Scene,
  halves: Halves,
  signal: 'SIGTERM' | 'SIGKILL',
  restart: () => Promise<void>,
): Promise<string> {
  const { receiver } = scene.ground;
  const held = Promise.withResolvers<undefined>();
  receiver.answerAfter(() => held.promise);
  const texts = await writeBacklog(scene, signal);
  await untilFull(scene);
  receiver.answerAfter(() => pause(ANSWERED_AFTER_MS));
  held.resolve(undefined);
  const from = receiver.deliveries.length;
  await until('the drain to be busy', () => receiver.deliveries.length >= from + BUSY);

  const inFlight = signal === 'SIGKILL' ? await holdFull(scene, halves) : new Set<string>();
  if (signal === 'SIGKILL') scene.ground.deaths += 1;
  await halves.end('worker', signal);
  const before = receiver.deliveries.slice();
  receiver.answerAfter(() => Promise.resolve());
  await restart();
  await until('the backlog to arrive', () => texts.every((text) => hasArrived(receiver.deliveries, text)));
  const after = receiver.deliveries.slice(before.length);
  const repeated = repetitions(before, after);
  const needless = repeated.filter((id) => !inFlight.has(id));
  if (needless.length > 0) throw new Error(`${needless.join(', ')} came again and had not been on their way.`);
  // Repetitions keep the order, too: an event that was on its way comes again before those that follow it.
  const disorder = disorderIn(after.map(({ event }) => event));
  if (disorder.length > 0) throw new Error(disorder.join('; '));
  return inFlight.size === 0 ? 'nothing came again' : `${repeated.length} of ${inFlight.size} on their way came again`;
}

/**
 * Lets several contacts write lines to each account; the receiver gets the lines of one contact one after the other.
 */
async function writeBacklog({ ground, ledger, round }: Scene, word: string): Promise<string[]> {
  const texts: string[] = [];
  const write = async (session: string, account: number, writer: number): Promise<void> => {
    for (let line = 1; line <= LINES; line += 1) {
      const text = `round ${round}, ${word}, account ${account}, person ${writer}, line ${line}`;
      await ground.sandbox.personWrites(session, `1555020${1_100 + writer}`, text);
      texts.push(text);
      ledger.inbound.push({ round, text });
    }
  };
  await Promise.all(
    ground.accounts.flatMap(({ session }, account) =>
      Array.from({ length: WRITERS }, (_, writer) => write(session, account + 1, writer + 1)),
    ),
  );
  return texts;
}

/**
 * From now on the receiver answers nothing. Once all earlier answers are recorded, returns the ids of the events on
 * their way.
 */
async function holdFull(scene: Scene, halves: Halves): Promise<Set<string>> {
  const { receiver } = scene.ground;
  receiver.answerAfter(() => new Promise(() => undefined));
  await untilFull(scene);
  const database = new Client({ connectionString: halves.databaseUrl });
  await database.connect();
  try {
    await until('what was answered to be recorded', async () => {
      const ids = receiver.events().map(({ metadata }) => metadata.eventId);
      const answered = ids.filter((id) => !receiver.unanswered.has(id));
      const { rows } = await database.query(
        "select 1 from delivery where event_id = any($1) and status = 'pending' limit 1",
        [answered],
      );
      return rows.length === 0;
    });
  } finally {
    await database.end();
  }
  return new Set(receiver.unanswered);
}

async function untilFull({ ground: { receiver } }: Scene): Promise<void> {
  await until('as many events on their way as an endpoint gets', () => receiver.unanswered.size >= AT_ONCE);
}

function hasArrived(deliveries: readonly Delivery[], text: string): boolean {
  return deliveries.some(({ event }) => event.payload['body'] === text);
}

function repetitions(before: readonly Delivery[], after: readonly Delivery[]): string[] {
  const known = new Set(before.map(({ event }) => event.metadata.eventId));
  return after.map(({ event }) => event.metadata.eventId).filter((id) => known.has(id));
}
