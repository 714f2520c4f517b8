import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { rowsTable } from './rows.ts';
import { scalingTable } from './scaling.ts';
import { summaryTable } from './summary.ts';
import { writeTable } from './write-tables.ts';

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

/**
 * Makes the tables of docs/performance.md and docs/scaling.md from files of results, the oldest first; of equal rows the last counts. The
 * documents get them where `write` says so.
 */
export function tablesOf(files: readonly string[], { write }: { write: boolean }): string {
  const all = files.flatMap((file) => Results.parse(JSON.parse(readFileSync(file, 'utf8'))).results);
  const readings = all.map(({ cpuMs, ...row }) => (cpuMs ? { ...row, cpuMs } : row));
  const results = [...new Map(readings.map((row) => [row.path, row])).values()];
  const [summary, scaling, rows] = [summaryTable(results), scalingTable(results), rowsTable(readings)];
  if (write) {
    writeTable('performance.md', summary);
    writeTable('performance.md', rows, ': every row');
    writeTable('scaling.md', scaling);
  }
  return `docs/performance.md:\n\n${summary}\n\n${rows}\n\ndocs/scaling.md:\n\n${scaling}\n`;
}
