import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { createSessionActivities } from '../../../activities/sessions/sessions.ts';
import type { Database } from '../../../db/engine/database.ts';
import { askSession } from '../../../db/operations/ask-session.ts';
import { findSessionById, insertSession } from '../../../db/sessions/session.ts';
import type { SessionAct } from '../../../domain/sessions/wish.ts';
import { SCOPE } from '../../db/a-database.ts';
import { rowsOf } from '../../support/rows.ts';
import type { aBackend } from './a-backend.ts';

const backendWebhook = { url: 'http://engine.test/hook', secret: 'hush', events: ['message.any'], since: new Date(0) };
const silence = { isOn: true, afterMs: 3_600_000 };
/** The dependencies of supervisors beside the backends. */
export const SUPERVISION = { backendWebhook, silence, auditEveryMs: 0 };

/** Sessions at a backend that notes what it is asked, and what is done to them. */
export function supervisedScene(database: Database) {
  async function aSession(at: ReturnType<typeof aBackend>, status = 'WORKING', metadata?: string) {
    const name = `s-${randomUUID()}`;
    const id = await database.transaction((tx) => insertSession(tx, SCOPE, { name }));
    if (id === null) throw new Error('The session was not made.');
    await rowsOf(
      database,
      // Its past is read, and so are its contacts, after the phone has handed them over.
      sql`update session set status = ${status}, synced_at = now(), contacts_synced_at = now() + interval '15 minutes'
        where id = ${id}`,
    );
    at.sessions.set(name, {
      name,
      sessionId: metadata ?? id,
      status,
      me: null,
      platform: null,
      restriction: null,
      newChats: null,
    });
    return { id, name };
  }

  const activitiesAt = ({ backend }: ReturnType<typeof aBackend>) =>
    createSessionActivities({
      database,
      backends: { of: () => backend, knows: () => true, servers: [] },
      ...SUPERVISION,
    });
  const rowOf = async (id: string) => {
    const found = await database.read((queries) => findSessionById(queries, id));
    if (!found) throw new Error('The session is not there.');
    return found;
  };
  const ask = async (id: string, act: SessionAct) => {
    const session = await rowOf(id);
    await database.transaction((tx) => askSession(tx, session, { act, by: { keyId: 'key_1' } }));
  };

  return { aSession, activitiesAt, rowOf, ask };
}
