import type { Engine, ParkedEvent } from '../../packages/typescript/src/index.ts';
import { CommandError, UsageError } from './command-error.ts';
import { plural } from './plural.ts';

/** The filter of the list. */
const WANTED = { status: 'parked', limit: 100 } as const;

interface Told {
  client: Engine;
  say: (line: string) => void;
}

/** Lists events of the backend that could not be applied, or applies one or all of them again. */
export async function parkedEvents([what = 'list', ...ids]: string[], all: boolean, told: Told): Promise<void> {
  const [id, ...others] = ids;
  if (what === 'list' && id === undefined && !all) return list(told);
  if (what === 'apply' && others.length === 0 && (id === undefined) === all) {
    return id === undefined ? applyAll(told) : apply([id], told);
  }
  throw new UsageError('Use "list", "apply ID" or "apply --all".');
}

async function list({ client, say }: Told): Promise<void> {
  const events = client.parkedEvents.list(WANTED);
  const { parked } = await events;
  for await (const event of events) say(lineOf(event));
  say(
    parked === 0 ? 'Nothing is parked.' : `${parked} parked. "./engine parked-events apply --all" applies them again.`,
  );
}

/**
 * Applies all parked events in the order of their pages. All ids are read first, so an event that fails again is not
 * met twice.
 */
async function applyAll(told: Told): Promise<void> {
  const ids: string[] = [];
  for await (const { id } of told.client.parkedEvents.list(WANTED)) ids.push(id);
  await apply(ids, told);
}

async function apply(ids: readonly string[], { client, say }: Told): Promise<void> {
  let parked = 0;
  for (const id of ids) {
    const event = await client.parkedEvents.apply(id);
    say(lineOf(event));
    if (event.status === 'parked') parked += 1;
  }
  if (parked > 0) {
    throw new CommandError(`${parked} of ${ids.length} could not be applied: the API's log has the reason.`);
  }
  say(`${ids.length} applied again.`);
}

/** Prints only ids and times. The body holds what somebody wrote, so it stays out of terminals. */
function lineOf({ id, status, receivedAt, attempts, error, sessionName }: ParkedEvent): string {
  const why = error === null ? null : `after ${plural(attempts, 'attempt')}: ${error}`;
  return [receivedAt, id, status, sessionName || 'no session', why].filter((word) => word !== null).join('  ');
}
