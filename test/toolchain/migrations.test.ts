import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { listedIndexes } from '../../db/indexes/list.ts';
import { refusals } from './migration-rules.ts';
import { ROOT } from './source-files.ts';

const FOLDER = join(ROOT, 'db/migrations');
/** Older migrations stopped the engine. */
const FIRST_ROLLING = '0004';

const files = readdirSync(FOLDER).filter((file) => file.endsWith('.sql') && file >= FIRST_ROLLING);

const REFUSED = [
  'create index message_x on message (id);',
  'create unique index conversation_x on conversation (id);',
  'drop index message_queue;',
  'alter table session add column a text, drop column platform;',
  'alter table session drop platform;',
  'alter table message alter column body type varchar(10);',
  'alter table message alter body set data type text;',
  'alter table tenant rename column name to title;',
  'alter table tenant rename to client;',
  'alter table tenant add column must text not null;',
  'alter table tenant alter column name set not null;',
  'drop table handover;',
  'alter table session add column a text; update event set place = 0 where place is null;',
  'alter table session add column a text; delete from message_history where at is null;',
  `create table note (id text references agency (id)); with old as (select 1) update message m set body = '';`,
];
const ALLOWED = [
  'create table note (id text primary key, at timestamptz not null); create index note_at on note (at);',
  'create index endpoint_x on endpoint (id);',
  `alter table message add column a text not null default 'x', add column b text check (b in ('c', 'd'));`,
  'alter table message alter column body drop not null, drop constraint message_status_check;',
  `set local lock_timeout = '10s'; update event set place = 0 where place is null; alter table session add column a text;`,
  'create table note (id text primary key); update note set id = id; alter table session add column a text;',
  '-- drop table message;\nselect 1;',
  'create function f() returns void language sql as $$ drop table if exists pg_temp.x $$;',
];

describe('a migration', () => {
  it.each(files)('%s lets the previous release go on', (file) => {
    expect(refusals(file, readFileSync(join(FOLDER, file), 'utf8'))).toEqual([]);
  });

  it.each(REFUSED)('may not say "%s"', (statement) => {
    expect(refusals('0099-expand.sql', statement)).toHaveLength(1);
  });

  it.each(ALLOWED)('may say "%s"', (statement) => {
    expect(refusals('0099-expand.sql', statement)).toEqual([]);
  });

  it('takes away what no release uses any more when it is a contract migration, and builds no index even then', () => {
    const taken = 'alter table session drop column platform; drop table handover;';
    expect(refusals('0099-contract-platform.sql', taken)).toEqual([]);
    expect(refusals('0099-contract-platform.sql', 'create index message_x on message (id);')).toHaveLength(1);
  });
});

describe('the list of indexes', () => {
  it('has one line for each', () => {
    const names = listedIndexes().map(({ name }) => name);
    expect(names).toEqual([...new Set(names)]);
  });
});
