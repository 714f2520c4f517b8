import type { Database } from '../../../db/database.ts';
import { endPassedAction, notePassedAction } from '../../../db/sending/actions/passed-action.ts';
import type { PassedAction } from '../../../db/sending/actions/passed-action.ts';
import { bareIdOf } from '../../../backend/events/message-id.ts';
import type { ActOutcome, AskedAct } from './sends.ts';

/** Notes an act before it is passed on; null where the request names no message that the engine has. */
export async function noteAct(asked: AskedAct, database: Database): Promise<string | null> {
  const { scope, session, actor, keyId } = asked;
  const act = actOn(asked);
  if (act === null) return null;
  const own = { ...scope, sessionId: session.id };
  return database.transaction((tx) => notePassedAction(tx, own, { ...act, isByPerson: actor === 'person', keyId }));
}

export async function concludeAct(id: string, outcome: ActOutcome, database: Database): Promise<void> {
  await database.transaction((tx) => endPassedAction(tx, id, outcome));
}

/** What the request does to which message. The path of an edit and of a deletion ends with the message's id. */
function actOn({
  method,
  path,
  segments,
  fields,
}: AskedAct): Pick<PassedAction, 'kind' | 'networkId' | 'value'> | null {
  const isReaction = path === '/api/reaction';
  const networkId = bareIdOf(isReaction ? fields['messageId'] : segments.at(-1));
  if (networkId === null) return null;
  if (isReaction) return { kind: 'reaction', networkId, value: textOf(fields['reaction']) };
  return method === 'DELETE'
    ? { kind: 'revoke', networkId, value: null }
    : { kind: 'edit', networkId, value: textOf(fields['text']) };
}

/** The backend judges what it gets; the note shows texts only. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
