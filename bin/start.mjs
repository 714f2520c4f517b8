#!/usr/bin/env node
import module from 'node:module';
import { fileURLToPath } from 'node:url';

// This file is plain JavaScript on purpose: an old Node would die on the first .ts file with an error that helps
// nobody.
const OLDEST_NODE = 24;
const node = Number.parseInt(process.versions.node, 10);
if (node < OLDEST_NODE) {
  console.error(
    `The engine needs Node ${OLDEST_NODE} or newer and runs on ${process.versions.node}: start it with "npm start", which brings its own Node, or install a newer one.`,
  );
  process.exit(1);
}
// The cache makes the second start faster by a third, because nothing is stripped or compiled again. It lies beside the
// packages, where nobody else writes. If the engine may not write there either, it goes without.
module.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/engine', import.meta.url)));
const { main } = await import('./main.ts');
await main(process.argv.slice(2));
