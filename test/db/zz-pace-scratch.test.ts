import { it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { Client } from 'pg';
import { Database } from '../../db/database.ts';
import { rowsOf } from '../support/rows.ts';
import { takeServers } from '../support/servers.ts';
import { aWorkingSession, SCOPE } from './a-database.ts';
import { DELIVERY_NAMES } from '../../db/promote.ts';

it('x', async () => {
  const { databaseUrl } = await takeServers();
  const database = await Database.open({ url: databaseUrl, directUrl: databaseUrl, encryptionKey: 'test-encryption-key-0123456789-0123456789', poolSize: 2, applicationName: 'x', onError: () => undefined });
  const sessionId = await aWorkingSession(database);
  const out: string[] = [];
  const first = new Client({ connectionString: databaseUrl });
  await first.connect();
  await first.query(readFileSync('/tmp/h/pace-var.sql', 'utf8'));
  await first.end();
  const cpu = (pid: number) => { const f = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' '); return (Number(f[13]) + Number(f[14])) * 10_000; };
  let round = 0;
  for (let k = 0; k < 2; k += 1)
  for (const name of ['promote_old', 'promote', 'promote_one', 'promote_two']) {
    round += 1;
    await rowsOf(database, sql<object>`with c as (
          insert into conversation (id, agency_id, tenant_id, session_id, chat_id)
          select ${`r${round}-`} || n, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, ${`r${round}-`} || n || '@c.us'
          from generate_series(1, 6000) n returning id)
        insert into message (id, agency_id, tenant_id, session_id, conversation_id, direction, origin, kind, occurred_at, status, chat_seq, updated_at)
        select id || '-' || k, ${SCOPE.agencyId}, ${SCOPE.tenantId}, ${sessionId}, id, 'out', 'api', 'text', now(), 'queued', k, now() from c, generate_series(1, 2) k`);
    const client = new Client({ connectionString: databaseUrl });
    await client.connect();
    const pid = Number((await client.query('select pg_backend_pid() as p')).rows[0].p);
    const before = cpu(pid);
    await client.query({ text: `select sum(${name}($1 || n, now(), $2)) from generate_series(1, 6000) n`, values: [`r${round}-`, DELIVERY_NAMES] });
    out.push(`${name} ${((cpu(pid) - before) / 6000).toFixed(0)} us`);
    await client.end();
  }
  console.log(out.join('\n'));
  await database.close();
}, 120000);
