#!/usr/bin/env node
import { spawn } from 'node:child_process';
import module from 'node:module';
import { fileURLToPath } from 'node:url';
import { isNewEnough, provideNode } from './own-node.mjs';

// This file is plain JavaScript that Node 18 understands. An old Node would die on the first .ts file with an error
// that helps nobody.
const words = process.argv.slice(2);
/** Set for the second try: a Node that calls itself old after all must not start the next one without end. */
const SECOND_TRY = 'ENGINE_SECOND_TRY';
if (isNewEnough()) await startHere();
else if (process.env[SECOND_TRY] === undefined) await startWithOwnNode();
else {
  console.error(
    `The Node that was fetched calls itself ${process.versions.node}: install Node 24 from https://nodejs.org.`,
  );
  process.exit(1);
}

async function startHere() {
  delete process.env[SECOND_TRY];
  // The cache makes the second start faster by a third, because nothing is stripped or compiled again. It lies beside
  // the packages, where nobody else writes. If the engine may not write there either, it goes without.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/engine', import.meta.url)));
  const { main } = await import('./main.ts');
  await main(words);
}

/** Continues with a Node that is fetched once, so that an old one on the machine is good enough. */
async function startWithOwnNode() {
  const own = await provideNode();
  if (own === null) process.exit(1);
  const engine = spawn(own, [...process.execArgv, fileURLToPath(import.meta.url), ...words], {
    stdio: 'inherit',
    env: { ...process.env, [SECOND_TRY]: '1' },
  });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => engine.kill(signal));
  engine.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}
