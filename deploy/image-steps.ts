import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Runs the steps of the Dockerfile in a clean directory, for machines without a Docker engine: each stage is a
 * directory, COPY takes only what .dockerignore lets through, RUN is a shell there. The base image stays this machine.
 */

const CONTEXT = fileURLToPath(new URL('..', import.meta.url));
const ROOT = mkdtempSync(join(tmpdir(), 'engine-image-'));
const IGNORED = ['ENV', 'USER', 'EXPOSE', 'HEALTHCHECK', 'CMD'];

const instructions = readFileSync(join(CONTEXT, 'Dockerfile'), 'utf8')
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '');
const allowed = readFileSync(join(CONTEXT, '.dockerignore'), 'utf8')
  .split('\n')
  .flatMap((line) => (line.startsWith('!') ? [line.slice(1)] : []));

const stages = new Map<string, string>();
let stage = '';

for (const line of instructions) {
  const [word = '', ...rest] = line.trim().split(/\s+/);
  if (word === 'FROM') from(rest);
  else if (word === 'COPY') copy(rest);
  else if (word === 'RUN') run(line.trim().slice('RUN '.length));
  else if (word !== 'WORKDIR' && !IGNORED.includes(word)) throw new Error(`${word} is not understood here.`);
}
process.stdout.write(`${stage}\n`);

function from([image = '', , name]: string[]): void {
  const parent = stages.get(image);
  stage = join(ROOT, name ?? 'image');
  mkdirSync(stage);
  if (parent !== undefined) cpSync(parent, stage, { recursive: true });
  if (name !== undefined) stages.set(name, stage);
}

function copy(words: string[]): void {
  const source = stages.get(words[0]?.replace('--from=', '') ?? '');
  const [to = '', ...froms] = words.filter((word) => !word.startsWith('--')).toReversed();
  if (source !== undefined) return froms.forEach((path) => put(path.replace('/app', source), join(stage, to)));
  const paths = froms.includes('.') ? allowed : froms;
  for (const path of paths) {
    if (!allowed.some((name) => path === name || path.startsWith(`${name}/`))) throw new Error(`${path} is ignored.`);
    const target = froms.includes('.') ? join(stage, path) : join(stage, to);
    put(join(CONTEXT, path), to.endsWith('/') && !froms.includes('.') ? join(target, basename(path)) : target);
  }
}

function put(path: string, target: string): void {
  mkdirSync(dirname(target), { recursive: true });
  cpSync(path, target, { recursive: true });
}

function run(command: string): void {
  execFileSync('sh', ['-c', command], { cwd: stage, stdio: ['ignore', 2, 2] });
}
