import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';

test('the whole client is 10 kB at most on its way to a browser', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL('../../../packages/typescript/src/index.ts', import.meta.url))],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
  });
  const sizeBytes = gzipSync(outputFiles[0]?.contents ?? new Uint8Array()).length;
  expect(sizeBytes).toBeGreaterThan(1_000);
  expect(sizeBytes).toBeLessThanOrEqual(10_000);
});
