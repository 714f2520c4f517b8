#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// This file is plain JavaScript on purpose: an old Node would die on the first .ts file with an error that helps
// nobody.
const OLDEST_NODE = 24;
const words = process.argv.slice(2);
if (Number.parseInt(process.versions.node, 10) >= OLDEST_NODE) await startHere();
else startWithOwnNode();

async function startHere() {
  // The cache makes the second start faster by a third, because nothing is stripped or compiled again. It lies beside
  // the packages, where nobody else writes. If the engine may not write there either, it goes without.
  module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/engine', import.meta.url)));
  const { main } = await import('./main.ts');
  await main(words);
}

/** Goes on with the Node that `npm install` has brought, so that an old one on the machine is good enough. */
function startWithOwnNode() {
  const own = fileURLToPath(
    new URL(`../node_modules/node-${process.platform}-${process.arch}/bin/node`, import.meta.url),
  );
  if (!existsSync(own)) {
    console.error(
      `The engine needs Node ${OLDEST_NODE} or newer and runs on ${process.versions.node}: run "npm install" in its directory, which brings its own Node, or install a newer one.`,
    );
    process.exit(1);
  }
  const engine = spawn(own, [...process.execArgv, fileURLToPath(import.meta.url), ...words], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => engine.kill(signal));
  engine.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 143)));
}
