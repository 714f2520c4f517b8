import { globSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { freePort } from '../../local/embedded/port.ts';
import { badPastes } from './bad-pastes.ts';
import { freshClone, lendPackages } from './checkout.ts';
import { fencesOf } from './fences.ts';
import { plantedFaults } from './planted.ts';
import { Reader } from './reader.ts';
import type { Tools } from './reader.ts';

/*
 * Runs what the documents say: every command, in order, in a fresh clone and against one fresh engine. With --lend the
 * clone uses the packages of this checkout, which leaves out the half minute of their installation. Words name the
 * documents to be read, where not all are meant; the README comes first in any case.
 */

/** The order in which a reader comes to them. CONTRIBUTING and the rest follow. */
const ORDER = ['README.md', 'docs/start/', 'docs/guides/', 'docs/webhooks/', 'docs/operate/', 'docs/extend/', 'docs/'];
const Page = z.object({ events: z.array(z.object({ type: z.string(), body: z.string() })) });
const MAX_BLOCKS_TO_FIRST_EVENT = 6;

const { values: flags, positionals: only } = parseArgs({
  options: { lend: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const startedAt = performance.now();
const clone = freshClone();
if (flags.lend) lendPackages(clone);
const url = `http://127.0.0.1:${await freePort()}`;
const ports = {
  PORT: new URL(url).port,
  SANDBOX_PORT: String(await freePort()),
  TEMPORAL_PORT: String(await freePort()),
  TEMPORAL_UI_PORT: String(await freePort()),
};
/** A fresh shell, and how this machine reaches its registries: proxies, certificates, settings of npm and pip. */
const INHERITED = /^(?:PATH|HOME|TMPDIR|LANG|TEMPORAL_CLI_PATH)$|^(?:npm_config|pip)_|proxy$|_ca_|ssl|cert/i;
const tools: Tools = {
  clone,
  environment: {
    ...Object.fromEntries(
      Object.entries(process.env).flatMap(([name, value]) => (value && INHERITED.test(name) ? [[name, value]] : [])),
    ),
    RECEIVER_PORT: String(await freePort()),
  },
  // The engine gives up unknown outcomes sooner, so an uncertain message takes seconds and not half a minute. The blocks
  // follow each other faster than a person pastes them, and share their key with the programs in the other terminals.
  engineEnvironment: { ...ports, SETTLE_GIVE_UP_AFTER_MS: '3000', API_RATE_BURST: '1000' },
  runSql,
  newestEvent,
  snippets: readdirSync(join(clone, 'docs/snippets')).map((name) => read(`docs/snippets/${name}`)),
  adapt: (block) =>
    (flags.lend ? block.replace(/^npm install && /m, '') : block)
      // Readers have a Node that is new enough for these; the machine may not.
      .replaceAll(/(?<=^|\s)node (?=docs\/snippets\/)/gm, `${process.execPath} `),
};

const chosen = documentPaths().filter(
  (path) => only.length === 0 || path === 'README.md' || only.some((word) => path.includes(word)),
);
const documents = chosen.map((path) => fencesOf(path, read(path)));
const reader = new Reader(tools);
const problems: string[] = [];
try {
  for (const fences of documents) {
    const begun = performance.now();
    await reader.read(fences);
    if (fences.length > 0) say(`${fences[0]?.document ?? ''}: ${((performance.now() - begun) / 1_000).toFixed(1)} s`);
  }
  problems.push(...reader.problems.map(({ where, what }) => `${where}: ${what}`));
  problems.push(...firstEvent());
  const runnable = documents.flat().filter(({ language, marks }) => language === 'sh' && marks.notRun === null);
  problems.push(...(await plantedFaults(tools)));
  say(`after the planted faults: ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  problems.push(...(await badPastes(runnable, { tools, reader })));
} catch (error) {
  problems.push(String(error));
} finally {
  await reader.close();
  rmSync(clone, { recursive: true, force: true });
}
report();

/** Returns a reader's steps and waits until the first event. */
function firstEvent(): string[] {
  const index = reader.pasted.findIndex(({ fence }) => fence.marks.elsewhere?.shows === 'message.ack');
  const [first, event] = [reader.pasted[0], reader.firstEventAt];
  if (index < 0 || first === undefined || event === null) return ['No block of the README ends with a first event.'];
  const seconds = ((event - first.at) / 1_000).toFixed(1);
  say(
    `From the first block to the first signed event: ${seconds} s${flags.lend ? ' without the installation' : ''}, ${index + 1} blocks`,
  );
  return index + 1 > MAX_BLOCKS_TO_FIRST_EVENT ? [`The first event takes ${index + 1} blocks.`] : [];
}

function report(): void {
  // A generated page gives one reason for all of its blocks.
  const reasons = Map.groupBy(reader.notRun, ({ where, why }) => `${where.split(':')[0] ?? ''}: ${why}`);
  for (const [reason, blocks] of reasons) say(`not run  ${reason}${blocks.length > 1 ? ` (${blocks.length})` : ''}`);
  for (const problem of problems) say(`WRONG    ${problem}`);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  say(`${reader.pasted.length} blocks were pasted, ${reader.notRun.length} are marked, in ${seconds} s`);
  if (problems.length > 0) process.exitCode = 1;
}

function documentPaths(): string[] {
  const placeOf = (path: string): number => ORDER.findIndex((start) => path.startsWith(start));
  const ordered = globSync(['README.md', 'docs/**/*.md'], { cwd: clone }).toSorted(
    (a, b) => placeOf(a) - placeOf(b) || a.localeCompare(b),
  );
  return [...ordered, 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'];
}

function read(path: string): string {
  return readFileSync(join(clone, path), 'utf8');
}

async function runSql(statements: string): Promise<void> {
  const [, , , port] = read('data/pg18/postmaster.pid').split('\n');
  const password = read('data/postgres-password').trim();
  const client = new pg.Client({
    host: '127.0.0.1',
    port: Number(port),
    user: 'postgres',
    password,
    database: 'engine',
  });
  await client.connect();
  try {
    await client.query('begin');
    await client.query(statements);
    await client.query('rollback');
  } finally {
    await client.end();
  }
}

async function newestEvent(type: string): Promise<unknown> {
  const key = read('data/demo-key').trim();
  const answer = await fetch(`${url}/api/v1/webhooks/events?after=start&limit=100`, { headers: { 'x-api-key': key } });
  const { events } = Page.parse(await answer.json());
  return JSON.parse(events.findLast((event) => event.type === type)?.body ?? 'null');
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
