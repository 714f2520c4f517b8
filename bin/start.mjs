#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// This file is plain JavaScript that Node 18 understands. An old Node would die on the first .ts file with an error
// that helps nobody.
const OLDEST_NODE = 24;
/** Set for the second try, so that two old Nodes do not call each other without end. */
const SECOND_TRY = 'ENGINE_SECOND_TRY';
const words = process.argv.slice(2);
if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) await startHere();
else if (process.env[SECOND_TRY] === undefined) await startWithAnotherNode();
else refuse();

async function startHere() {
  delete process.env[SECOND_TRY];
  // The cache makes the second start faster by a third, because nothing is stripped or compiled again. It lies beside
  // the packages, where nobody else writes. If the engine may not write there either, it goes without.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/engine', import.meta.url)));
  const { main } = await import('./main.ts');
  await main(words);
}

/** Continues with the Node that `./engine` finds, so that an old one on the machine is good enough. */
async function startWithAnotherNode() {
  const { spawn } = await import('node:child_process');
  const engine = spawn(fileURLToPath(new URL('../engine', import.meta.url)), words, {
    stdio: 'inherit',
    env: { ...process.env, [SECOND_TRY]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => engine.kill(signal));
  engine.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
  // Windows does not run the script.
  engine.on('error', refuse);
}

function refuse() {
  console.error(
    `The engine needs Node ${OLDEST_NODE} or newer and runs on ${process.versions.node}: run "npm install" in its directory, which brings its own Node, or install a newer one.`,
  );
  process.exit(1);
}
