import { execFile, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { signWebhook } from '../../activities/webhooks/signature.ts';
import { freePort } from '../../local/embedded/port.ts';
import { eventually } from '../support/eventually.ts';

const DOCS = fileURLToPath(new URL('../../docs', import.meta.url));
const SNIPPETS = join(DOCS, 'snippets');

/** Tests do not install programs: what is not on the machine is skipped, and counted as skipped. */
function programAt(names: string[], elsewhere: string[] = []): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find(existsSync);
}
const python = programAt(['python3']);
const go = programAt(['go'], ['/usr/local/go/bin/go']);

interface Case {
  name: string;
  secret: string;
  headers: Record<string, string>;
  body: string;
  genuine: boolean;
}

const CURRENT = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const OLD = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const RAW = 'a raw secret of more than 32 characters, with ünïcode';
const BODY = JSON.stringify({ event: 'message', payload: { body: 'Olá 👋 – "ok"' }, metadata: { eventId: 'evt_1' } });

function signed(secrets: string[], { body = BODY, ageSeconds = 0 } = {}): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000) - ageSeconds;
  return signWebhook(secrets, { eventId: 'evt_1', timestamp, body: Buffer.from(body) });
}

function without(name: string): Record<string, string> {
  return Object.fromEntries(Object.entries(signed([CURRENT])).filter(([key]) => key !== name));
}

function cases(): Case[] {
  const good = { secret: CURRENT, headers: signed([CURRENT]), body: BODY, genuine: true };
  const both = signed([CURRENT, OLD]);
  const bad = { ...good, genuine: false };
  return [
    { ...good, name: 'signed with the secret' },
    { ...good, name: 'signed with a raw secret', secret: RAW, headers: signed([RAW]) },
    { ...good, name: 'two signatures, the receiver has the new secret', headers: both },
    { ...good, name: 'two signatures, the receiver has the old secret', headers: both, secret: OLD },
    { ...good, name: 'four minutes on its way', headers: signed([CURRENT], { ageSeconds: 240 }) },
    { ...bad, name: 'another secret', secret: OLD },
    { ...bad, name: 'another raw secret', secret: `${RAW}.`, headers: signed([RAW]) },
    { ...bad, name: 'another body', body: `${BODY} ` },
    { ...bad, name: 'another id', headers: { ...good.headers, 'webhook-id': 'evt_2' } },
    {
      ...bad,
      name: 'another time than was signed',
      headers: { ...good.headers, 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 1) },
    },
    { ...bad, name: 'ten minutes old', headers: signed([CURRENT], { ageSeconds: 600 }) },
    { ...bad, name: 'ten minutes ahead', headers: signed([CURRENT], { ageSeconds: -600 }) },
    { ...bad, name: 'a time that is none', headers: { ...good.headers, 'webhook-timestamp': 'now' } },
    { ...bad, name: 'without a time', headers: without('webhook-timestamp') },
    { ...bad, name: 'without a signature', headers: without('webhook-signature') },
    {
      ...bad,
      name: 'signatures of other kinds only',
      headers: { ...good.headers, 'webhook-signature': 'v1a,AAAA v2,BBBB' },
    },
    {
      ...bad,
      name: 'a signature without its kind',
      headers: { ...good.headers, 'webhook-signature': good.headers['webhook-signature']?.slice(3) ?? '' },
    },
  ];
}

/** Returns the input of the programs below: a case a line, its fields in base64, `-` for a missing header. */
function toLines(all: Case[]): string {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const encoded = (text: string | undefined): string =>
    text === undefined ? '-' : Buffer.from(text).toString('base64');
  return all
    .map(({ secret, headers, body }) => [secret, ...names.map((name) => headers[name]), body].map(encoded).join(' '))
    .join('\n');
}

const WITH_NODE = `
import { readFileSync } from 'node:fs';
import { isGenuine } from ${JSON.stringify(join(SNIPPETS, 'verify.ts'))};
for (const line of readFileSync(0, 'utf8').split('\\n')) {
  const [secret, id, timestamp, signature, body] = line.split(' ').map((field) => field === '-' ? undefined : Buffer.from(field, 'base64'));
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature };
  const given = Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => value ? [[name, String(value)]] : []));
  console.log(isGenuine(String(secret), given, body));
}`;

const WITH_PYTHON = `
import base64, sys
sys.dont_write_bytecode = True
sys.path.insert(0, ${JSON.stringify(SNIPPETS)})
from verify import is_genuine
names = ["webhook-id", "webhook-timestamp", "webhook-signature"]
for line in sys.stdin:
    secret, *headers, body = [None if field == "-" else base64.b64decode(field) for field in line.split()]
    given = {name: value.decode() for name, value in zip(names, headers) if value is not None}
    print(str(is_genuine(secret.decode(), given, body)).lower())
`;

/** Goes with the snippet into one program, and answers before its own main begins. */
const WITH_GO = `package main

import (
	"bufio"
	"encoding/base64"
	"os"
	"strconv"
	"strings"
)

func init() {
	names := []string{"webhook-id", "webhook-timestamp", "webhook-signature"}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		fields := strings.Split(lines.Text(), " ")
		read := func(index int) string {
			decoded, _ := base64.StdEncoding.DecodeString(fields[index])
			return string(decoded)
		}
		header := func(name string) string {
			for index, known := range names {
				if known == name && fields[index+1] != "-" {
					return read(index + 1)
				}
			}
			return ""
		}
		os.Stdout.WriteString(strconv.FormatBool(isGenuine(read(0), header, []byte(read(4)))) + "\\n")
	}
	os.Exit(0)
}
`;

describe('the receivers of docs/webhooks/verify.md', () => {
  let directory: string;
  const receivers: ChildProcess[] = [];

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'engine-snippets-'));
  });
  afterAll(async () => {
    for (const receiver of receivers) receiver.kill();
    await rm(directory, { recursive: true });
  });

  async function judge(program: string, args: string[], env: Record<string, string> = {}): Promise<void> {
    const all = cases();
    const run = promisify(execFile)(program, args, {
      env: { ...process.env, NODE_OPTIONS: '', ...env },
      cwd: directory,
    });
    run.child.stdin?.end(toLines(all));
    const { stdout } = await run;
    const said = stdout.trim().split('\n');
    expect(all.map(({ name }, index) => [name, said[index]])).toEqual(
      all.map(({ name, genuine }) => [name, String(genuine)]),
    );
    expect(said).toHaveLength(all.length);
  }

  /** The snippet as it stands, as a program that listens. */
  async function answers(program: string, file: string): Promise<void> {
    const port = await freePort();
    const env = {
      ...process.env,
      NODE_OPTIONS: '',
      SECRET: CURRENT,
      RECEIVER_PORT: String(port),
      PYTHONDONTWRITEBYTECODE: '1',
    };
    const receiver = spawn(program, [join(SNIPPETS, file)], { env });
    receivers.push(receiver);
    let said = '';
    for (const stream of [receiver.stdout, receiver.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
      });
    }
    const post = async (body: string) => {
      const url = `http://127.0.0.1:${port}/events`;
      const response = await fetch(url, { method: 'POST', headers: signed([CURRENT]), body }).catch(() => undefined);
      return response?.status;
    };
    expect(await eventually(() => post(BODY), { what: `${file} to listen` })).toBe(204);
    expect(await post('{}')).toBe(401);
    await eventually(() => said.includes('refused: the signature does not match SECRET'), {
      what: `${file} to say why`,
    });
    receiver.kill('SIGINT');
    await once(receiver, 'close');
    expect(said.trim().split('\n').at(-1)).toMatch(/^refused: /);
  }

  it('in TypeScript believes what is signed and nothing else, and answers so', async () => {
    await Promise.all([
      judge(process.execPath, ['--input-type=module', '--eval', WITH_NODE]),
      answers(process.execPath, 'verify.ts'),
    ]);
  });

  (python ? it : it.skip)('in Python believes what is signed and nothing else, and answers so', async () => {
    await Promise.all([judge(python ?? '', ['-c', WITH_PYTHON]), answers(python ?? '', 'verify.py')]);
  });

  // Go's own library is compiled once for each machine, which takes many times what the rest does.
  (go ? it : it.skip)('in Go believes what is signed and nothing else', async () => {
    await copyFile(join(SNIPPETS, 'verify.go'), join(directory, 'verify.go'));
    await writeFile(join(directory, 'judge.go'), WITH_GO);
    await writeFile(join(directory, 'go.mod'), 'module check\n\ngo 1.21\n');
    const offline = { GOFLAGS: '-mod=mod', GOTOOLCHAIN: 'local', GOPROXY: 'off', CGO_ENABLED: '0' };
    // Compiled before the cases are made: on a slow machine that takes longer than a case may be old.
    const built = { env: { ...process.env, ...offline, GOCACHE: join(tmpdir(), 'engine-go-build') }, cwd: directory };
    await promisify(execFile)(go ?? '', ['build', '-o', 'receiver', '.'], built);
    await judge(join(directory, 'receiver'), []);
  });

  it('are on the page, which shows a part of one as it is executed', () => {
    const page = readFileSync(join(DOCS, 'webhooks/verify.md'), 'utf8');
    // The receiver that mirrors an inbox has a guide and a test of its own.
    const snippets = readdirSync(SNIPPETS).filter((name) => name.startsWith('verify'));
    expect(snippets.toSorted()).toEqual(['verify-n8n.js', 'verify.go', 'verify.php', 'verify.py', 'verify.ts']);
    for (const name of snippets) {
      const row = page.split('\n').find((line) => line.includes(`](../snippets/${name})`));
      expect(row).toBeDefined();
      expect(row?.includes('Not executed in our tests.')).toBe(/n8n|php/.test(name));
    }
    const [, shown = ''] = /^```ts\n([\s\S]*?)^```$/m.exec(page) ?? [];
    expect(shown).toContain('export function isGenuine');
    expect(readFileSync(join(SNIPPETS, 'verify.ts'), 'utf8')).toContain(shown);
  });
});
