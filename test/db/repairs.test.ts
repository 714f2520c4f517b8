import { describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import { listRepairs, runRepairs } from '../../db/repairs/run.ts';
import { rowsOf } from '../support/rows.ts';
import { aNetworkMessage } from '../support/network-message.ts';
import { databaseOfThisFile } from './database-of-this-file.ts';
import { applyNetworkEvent } from './network/apply-event.ts';
import { applyReports } from './network/backend-report.ts';

const { database, session } = await databaseOfThisFile();

describe('the repairs of what earlier releases left', () => {
  const run = (text: string) => rowsOf(database, sql<{ id?: unknown }>`${sql.raw(text)}`);
  const chatId = '15558300001@c.us';
  const nowS = Math.floor(Date.now() / 1_000);

  it('list what is wrong and change nothing, then repair it, and find nothing when they run again', async () => {
    const say = (networkId: string, over: object = {}) =>
      database.transaction((tx) => {
        const message = aNetworkMessage({ networkId, chatId, timestamp: nowS - 60, ...over });
        return applyNetworkEvent(tx, session, { kind: 'message', key: networkId, message });
      });
    await say('FROM-FUTURE', { body: 'ahead' });
    await say('OF-NOW', { body: 'of now' });
    await say('LOST-WORDS', { kind: 'other', body: '' });
    await rowsOf(
      database,
      sql<object>`update message set occurred_at = now() + interval '3 years' where network_id = 'FROM-FUTURE'`,
    );
    await rowsOf(
      database,
      sql<object>`update conversation set last_message_at = now() + interval '3 years',
      last_message_body = 'ahead' where chat_id = ${chatId}`,
    );
    for (const body of [null, 'The words']) {
      const payload = { id: `false_${chatId}_LOST-WORDS`, from: chatId, fromMe: false, timestamp: nowS - 60, body };
      const raw = JSON.stringify({ event: 'message.any', session: session.name, payload });
      await rowsOf(
        database,
        sql<object>`insert into backend_event (session_name, request_key, body, applied_at)
        values (${session.name}, ${`lost ${body}`}, ${raw}, now())`,
      );
    }
    const found = await listRepairs(run);
    expect(found.map(({ repair, ids }) => [repair.name, ids.length])).toEqual([
      ['lost-contents', 1],
      ['future-messages', 1],
    ]);
    expect((await listRepairs(run)).map(({ ids }) => ids.length)).toEqual([1, 1]);
    const lines: string[] = [];
    expect(await runRepairs(run, (line) => lines.push(line))).toBe(2);
    expect(lines.join('\n')).toContain('repaired');
    await database.transaction((tx) => applyReports(tx, session));
    const shown = sql<object>`select network_id as id, body, occurred_at <= now() as "isPast" from message
      where network_id in ('FROM-FUTURE', 'LOST-WORDS') order by network_id`;
    expect(await rowsOf(database, shown)).toEqual([
      { id: 'FROM-FUTURE', body: 'ahead', isPast: true },
      { id: 'LOST-WORDS', body: 'The words', isPast: true },
    ]);
    const line = sql<object>`select last_message_at <= now() as "isPast" from conversation where chat_id = ${chatId}`;
    expect(await rowsOf(database, line)).toEqual([{ isPast: true }]);
    expect(await runRepairs(run, () => undefined)).toBe(0);
  });
});
