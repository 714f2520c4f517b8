import { readFileSync, writeFileSync } from 'node:fs';
import type { Metric } from '../../domain/telemetry/metric.ts';
import { OF_PROCESSES } from '../../domain/telemetry/of-processes.ts';
import { OF_ROWS } from '../../domain/telemetry/of-rows.ts';

export const METRICS_PAGE = new URL('../../docs/metrics.md', import.meta.url);
const BEGIN = '<!-- made by npm run metrics -->';
const END = '<!-- end of what is made -->';

/** Returns docs/metrics.md with its lists made anew of the one table; what people have written around them stays. */
export function metricsPage(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  const lists = ['### What each process measures', listOf(OF_PROCESSES), '### What the rows say', listOf(OF_ROWS)].join(
    '\n\n',
  );
  return `${before}${BEGIN}\n\n${lists}\n\n${END}${after}`;
}

function listOf(metrics: Readonly<Record<string, Metric>>): string {
  return Object.entries(metrics).map(itemOf).join('\n');
}

function itemOf([name, { type, help, labels }]: [string, Metric]): string {
  const shown = Object.entries(labels).map(([label, values]) => `\`${label}\` (${values})`);
  return `- \`${name}\`, ${type}: ${help}${shown.length === 0 ? '' : ` By ${shown.join(', ')}.`}`;
}

if (import.meta.main) writeFileSync(METRICS_PAGE, metricsPage(readFileSync(METRICS_PAGE, 'utf8')));
