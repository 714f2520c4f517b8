import { concludePassed, notePassed } from './passed.ts';
import { throughQueue } from './queue.ts';
import type { QueueMeans } from './queue.ts';
import type { Sends, AskedAct, ConcludeAct } from './sends.ts';
import type { Database } from '../../../db/engine/database.ts';
import { endPassedAction, notePassedAction } from '../../../db/sending/actions/passed-action.ts';
import type { PassedAction } from '../../../db/sending/actions/passed-action.ts';
import { bareIdOf } from '../../../adapters/backend/events/message-id.ts';
import { actionValue } from '../../../domain/sending/message-action.ts';

const WAIT_MS = 25_000;

/** Makes what takes the sends of the passthrough into the inbox. */
export function createSends(means: Omit<QueueMeans, 'waitMs'> & { waitMs?: number }): Sends {
  const { database, waitMs = WAIT_MS } = means;
  return {
    throughQueue: (asked) => throughQueue(asked, { ...means, waitMs }),
    note: (asked) => notePassed(asked, database),
    conclude: (noted, outcome) => concludePassed(noted, outcome, database),
    noteAct: (asked) => noteAct(asked, database),
  };
}

/** Notes an act before it is passed on; null where the request names no message that the engine has. */
async function noteAct(asked: AskedAct, database: Database): Promise<ConcludeAct | null> {
  const { session, actor, keyId } = asked;
  const act = actOn(asked);
  if (act === null) return null;
  const scope = { ...asked.scope, sessionId: session.id };
  const action = { ...act, scope, isByPerson: actor === 'person', keyId };
  const noted = await database.transaction((tx) => notePassedAction(tx, action));
  return noted && ((outcome) => database.transaction((tx) => endPassedAction(tx, noted, outcome)));
}

/** Reads the action and its message. The path of an edit and of a deletion ends with the message's id. */
function actOn({
  method,
  path,
  segments,
  fields,
}: AskedAct): Pick<PassedAction, 'kind' | 'networkId' | 'value'> | null {
  const isReaction = path === '/api/reaction';
  const networkId = bareIdOf(isReaction ? fields['messageId'] : segments.at(-1));
  if (networkId === null) return null;
  if (isReaction) return { kind: 'reaction', networkId, value: valueOf('reaction', fields['reaction']) };
  return method === 'DELETE'
    ? { kind: 'revoke', networkId, value: null }
    : { kind: 'edit', networkId, value: valueOf('edit', fields['text']) };
}

/** The backend judges what it gets; the note shows texts only. */
function valueOf(kind: 'edit' | 'reaction', value: unknown): string {
  return typeof value === 'string' ? actionValue(kind, value) : '';
}
