import { describe, expect, it } from '@jest/globals';
import { guardAssertedRows } from './asserted-rows.ts';
import { guardAutomations } from './automations.ts';
import { guardFragments } from './fragments.ts';
import { guardGate } from './gate.ts';
import { guardBounds, guardCitations, guardLength, guardPages, guardSqlWidth } from './guards.ts';
import type { Guard } from './guards.ts';
import { guardNow } from './conversation-now.ts';
import { docsPages, scriptFiles, writtenFiles } from './source-files.ts';
import type { SourceFile } from './source-files.ts';
import { guardWriters } from './writers.ts';

const file = (path: string, text = ''): SourceFile => ({ path, text });
const written = writtenFiles();

const anAutomation = (exported: string, name: string): SourceFile =>
  file(`workflows/automations/${name}.ts`, `export const ${exported} = defineAutomation({});\n`);
const listing = (line: string): SourceFile => file('workflows/automations/index.ts', `${line}\n`);
const sayHello = [
  anAutomation('sayHello', 'say-hello'),
  listing("export { sayHello } from './say-hello.ts';"),
  file('test/automations/say-hello.test.ts'),
];

/** Each guard with the least that it refuses, what it says then, and the most that it lets pass. */
const GUARDS: { title: string; guard: Guard; refused: SourceFile[]; says: RegExp; passes: SourceFile[] }[] = [
  {
    title: 'no file too long to read in one go',
    guard: guardLength,
    refused: [file('db/sending/claim.ts', 'const a = 1;\n'.repeat(401))],
    says: /^db\/sending\/claim\.ts has 401 lines and may have 400: /,
    passes: [
      file('db/sending/claim.ts', 'const a = 1;\n'.repeat(400)),
      file('test/db/sending/claim.test.ts', 'const a = 1;\n'.repeat(400)),
      file('db/migrations/0001-first.sql', 'select 1;\n'.repeat(401)),
    ],
  },
  {
    title: 'no few lines in a file of their own that one neighbour uses',
    guard: guardFragments,
    refused: [
      file('db/sending/late.ts', 'export const a = 1;\n'),
      file('db/sending/claim.ts', "import { a } from './late.ts';\n"),
    ],
    says: /^db\/sending\/late\.ts has 1 lines, and only db\/sending\/claim\.ts imports it: move it there, /,
    passes: [
      file('db/a.ts', 'export const a = 1;\n'),
      file('db/b.ts', "import { a } from './a.ts';\n"),
      file('db/c.ts', "import { a } from './a.ts';\n"),
      file('bin/lazy.ts', 'export const a = 1;\n'),
      file('bin/main.ts', "const a = await import('./lazy.ts');\n"),
      file('db/said.ts', '// A file of its own, because the other one is as long as may be.\nexport const a = 1;\n'),
      file('db/d.ts', `import { a } from './said.ts';\n${'const b = 1;\n'.repeat(40)}`),
    ],
  },
  {
    title: 'no line of SQL too wide to compare side by side',
    guard: guardSqlWidth,
    refused: [file('db/sending/pace.sql', `select 1;\n${'x'.repeat(121)}\n`)],
    says: /^db\/sending\/pace\.sql:2 is 121 columns wide and may be 120: break /,
    passes: [
      file('db/sending/pace.sql', `${'x'.repeat(120)}\n`),
      file('db/migrations/0001-first.sql', 'x'.repeat(121)),
      file('api/a.ts', 'x'.repeat(121)),
    ],
  },
  {
    title: 'no statement in TypeScript with a line too wide to compare side by side',
    guard: guardSqlWidth,
    refused: [file('db/sending/pace.ts', `await run(tx)\`\n    ${'x'.repeat(117)}\`;\n`)],
    says: /^db\/sending\/pace\.ts:2 is 123 columns wide and may be 120: break /,
    passes: [file('db/sending/pace.ts', `await run(tx)\`\n    ${'x'.repeat(114)}\`;\n`)],
  },
  {
    title: 'no upper bound by another word than MAX_',
    guard: guardBounds,
    refused: [file('db/a.ts', `\nconst ${'MOST'}_ROWS = 10;\n`)],
    says: /^db\/a\.ts:2 names an upper bound \w+_ROWS: call it MAX_/,
    passes: [file('db/a.ts', 'const MAX_ROWS = 10;'), file('db/b.ts', 'const MAX_LIMIT_CHANGES = 2;')],
  },
  {
    title: 'no comment that cites what the repository does not hold',
    guard: guardCitations,
    refused: [file('db/a.ts', `\n/** As promised (${'design'} 6.1.7). */\n`)],
    says: /^db\/a\.ts:2 cites "\w+ 6", .* docs\//,
    passes: [file('db/a.ts', '// See docs/decisions/sending.md, and the design of the claim.')],
  },
  {
    title: 'no citation of a page, a heading or a number that is not there',
    guard: guardPages(docsPages()),
    refused: [file('db/a.ts', `\n// As ${'docs'}/extend/add-workflow.md#add-a-workflow, 99 says.\n`)],
    says: /^db\/a\.ts:2 cites "docs\/extend\/add-workflow\.md#add-a-workflow, 99", which is not there: mend /,
    passes: [file('db/a.ts', '// See docs/extend/add-workflow.md#add-a-workflow, 3, and docs/decisions/sending.md.')],
  },
  {
    title: 'no citation of a heading in quotes that its page does not have',
    guard: guardPages(docsPages()),
    refused: [file('db/a.ts', `\n// See ${'docs'}/decisions/tooling.md, "Node keeps old objects".\n`)],
    says: /^db\/a\.ts:2 cites "docs\/decisions\/tooling\.md, "Node keeps old objects"", which is not there: mend /,
    passes: [file('db/a.ts', '// See docs/decisions/tooling.md, "Node keeps few young objects".')],
  },
  {
    title: 'no statement that writes where a function may only read',
    guard: guardWriters,
    refused: [
      file('db/a.ts', 'function clear(queries: Queries) {\n  return sql`delete from a`.execute(queries.sql);\n}\n'),
    ],
    says: /^db\/a\.ts: clear takes Queries and writes \(delete from\): let it take a Tx/,
    passes: [file('db/a.ts', 'function clear(tx: Tx) {\n  return sql`delete from a`.execute(tx.sql);\n}\n')],
  },
  {
    title: 'no call of what PostgreSQL lets write where a function may only read',
    guard: guardWriters,
    refused: [
      file('db/a.ts', 'function next(queries: Queries) {\n  return sql`select take_b()`.execute(queries.sql);\n}\n'),
      file('db/a.sql', 'create or replace function take_b() returns int language sql as $$ select 1 $$;\n'),
    ],
    says: /^db\/a\.ts: next takes Queries and writes \(take_b\): let it take a Tx/,
    passes: [
      file('db/a.ts', 'function next(queries: Queries) {\n  return sql`select look_b()`.execute(queries.sql);\n}\n'),
      file('db/a.sql', 'create or replace function look_b() returns int language sql stable as $$ select 1 $$;\n'),
    ],
  },
  {
    title: 'no type beside a statement that says what it answers',
    guard: guardAssertedRows,
    refused: [file('db/a.ts', 'const NAMES = sql<{ name: string }>`select name from a`;\n')],
    says: /^db\/a\.ts:1 asserts what a statement answers: let rows, row, one or run of db\/engine\/rows\.ts run it, with a zod schema/,
    passes: [
      file('db/a.ts', 'const names = await rows(queries, Name)`select name from a where ${sql`true`}`;\n'),
      file('test/db/a.test.ts', 'await rowsOf(database, sql<{ name: string }>`select name from a`);\n'),
    ],
  },
  {
    title: 'no statement that is run past the schemas',
    guard: guardAssertedRows,
    refused: [file('db/a.ts', '\nconst { rows } = await sql`select 1`.execute(queries.sql);\n')],
    says: /^db\/a\.ts:2 runs a statement whose answer nobody checks: let rows, row, one or run of db\/engine\/rows\.ts run it/,
    passes: [file('db/a.ts', 'await this.#sql.transaction().execute(async (trx) => work(trx));\n')],
  },
  {
    title: 'no schema of rows that is made at each call',
    guard: guardAssertedRows,
    refused: [file('db/a.ts', 'return rows(queries, z.object({ id: z.string() }))`select id from a`;\n')],
    says: /^db\/a\.ts:1 makes a schema at each call, .* give it a name at the top of the module/,
    passes: [file('db/a.ts', 'return rows(queries, IdRow)`select id from a`;\n')],
  },
  {
    title: 'no statement that writes messages without asking what was deleted',
    guard: guardGate,
    refused: [file('db/a.sql', 'insert into message (id)\nselect 1;\n')],
    says: /^db\/a\.sql writes messages past the gate \(1 statement\): call write_message, /,
    passes: [
      file('db/a.sql', 'insert into message_history (message_id) select 1;\nselect * from message;\n'),
      file('db/network/write-message.sql', 'insert into message (id)\nselect 1 from deletion_of_report(1) d;\n'),
      file('test/db/a.test.ts', 'insert into message (id) values (1)'),
      file('tools/bench/a.ts', 'insert into message (id) values (1)'),
    ],
  },
  {
    title: 'no second statement that writes messages beside the gate',
    guard: guardGate,
    refused: [
      file(
        'db/network/write-message.sql',
        'insert into message (id) select 1 from deletion_of_report(1) d;\nInsert into\n  message (id) select 2;\n',
      ),
    ],
    says: /^db\/network\/write-message\.sql writes messages past the gate \(2 statements\): /,
    passes: [],
  },
  {
    title: 'no import that leaves the check of deletions out',
    guard: guardGate,
    refused: [
      file('db/personal-data/import/write-rows.ts', 'run(tx)`insert into ${sql.table(name)} (id) select 1`;\n'),
    ],
    says: /^db\/personal-data\/import\/write-rows\.ts writes messages past the gate /,
    passes: [],
  },
  {
    title: 'no own way to ask which conversation one is now',
    guard: guardNow,
    refused: [file('db/a.ts', 'rows(tx, IdRow)`select coalesce(c.merged_into, c.id) as id from conversation c`;\n')],
    says: /^db\/a\.ts names where a merge leads 1 times and may do so 0 times: call conversation_now /,
    passes: [
      file('db/a.ts', 'rows(tx, IdRow)`select id from conversation where merged_into is null`;\n'),
      file('db/b.sql', 'select conversation_now(c) from conversation c where c.merged_into is not null;\n'),
      file('test/db/a.test.ts', 'select id from conversation where merged_into = 1'),
      file('db/migrations/0001-first.sql', 'update conversation set merged_into = null;'),
    ],
  },
  {
    title: 'no own way to list what became a conversation',
    guard: guardNow,
    refused: [file('db/a.sql', 'select k.id from conversation k where k.merged_into = p_id;\n')],
    says: /^db\/a\.sql names where a merge leads 1 times /,
    passes: [],
  },
  {
    title: 'no second statement on the lead beside the lookup, and no exception that is needed no more',
    guard: guardNow,
    refused: [file('db/conversations/now.sql', 'select coalesce(c.merged_into, c.id)\n')],
    says: /^db\/conversations\/now\.sql names where a merge leads 1 times and may do so 2 times: /,
    passes: [file('db/conversations/now.sql', 'select coalesce(c.merged_into, c.id) where k.merged_into = p_id\n')],
  },
  {
    title: 'no conversation that is found by its entity’s lead',
    guard: guardNow,
    refused: [file('db/a.ts', 'return found.mergedInto ? find(found.mergedInto) : found;\n')],
    says: /^db\/a\.ts names where a merge leads 2 times /,
    passes: [file('api/a.ts', 'const shown = { mergedInto: null };\n')],
  },
  {
    title: 'no automation that the index forgets',
    guard: guardAutomations,
    refused: [anAutomation('sayHello', 'say-hello'), file('test/automations/say-hello.test.ts')],
    says: /^workflows\/automations\/say-hello\.ts is not listed, .* write export \{ sayHello \} from '\.\/say-hello\.ts'; into /,
    passes: sayHello,
  },
  {
    title: 'no automation without a test',
    guard: guardAutomations,
    refused: sayHello.slice(0, 2),
    says: /^workflows\/automations\/say-hello\.ts has no test: write test\/automations\/say-hello\.test\.ts, /,
    passes: sayHello,
  },
  {
    title: 'no automation in a file of another name',
    guard: guardAutomations,
    refused: [
      anAutomation('sayHello', 'hello'),
      listing("export { sayHello } from './hello.ts';"),
      ...sayHello.slice(2),
    ],
    says: /^workflows\/automations\/hello\.ts has sayHello, which the API calls say-hello: call the file /,
    passes: sayHello,
  },
];

describe('the files that no guard above reads', () => {
  it('cite pages and headings that are there', () => {
    const scripts = scriptFiles();
    expect(scripts).toHaveLength(2);
    expect(guardPages(docsPages())(scripts)).toEqual([]);
  });
});

describe.each(GUARDS)('the guard: $title', ({ guard, refused, says, passes }) => {
  it('finds nothing in this tree', () => {
    expect(guard(written)).toEqual([]);
  });

  it('tells whoever breaks it where, and what to do', () => {
    expect(guard(refused)).toEqual([expect.stringMatching(says)]);
  });

  it('lets pass what is just within it', () => {
    expect(guard(passes)).toEqual([]);
  });
});
