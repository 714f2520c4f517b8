import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { scalingTable } from './scaling.ts';
import { summaryTable } from './summary.ts';

const Cpu = z.object({ api: z.number(), worker: z.number(), postgres: z.number(), temporal: z.number() });
const Results = z.object({
  results: z.array(
    z.object({
      path: z.string(),
      measured: z.string(),
      baseline: z.string(),
      ratio: z.number().nullable(),
      aim: z.string(),
      met: z.boolean(),
      cpuMs: Cpu.optional(),
    }),
  ),
});

/** Makes the tables of docs/performance.md and docs/scaling.md from files of results; of equal rows the last counts. */
export function tablesOf(files: readonly string[]): string {
  const all = files.flatMap((file) => Results.parse(JSON.parse(readFileSync(file, 'utf8'))).results);
  const results = [...new Map(all.map(({ cpuMs, ...row }) => [row.path, cpuMs ? { ...row, cpuMs } : row])).values()];
  return `docs/performance.md:\n\n${summaryTable(results)}\n\ndocs/scaling.md:\n\n${scalingTable(results)}\n`;
}
