import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { z } from 'zod';
import { METRICS_PAGE, metricsPage } from '../../bin/telemetry/metrics-page.ts';
import { DASHBOARD, DASHBOARD_FILE } from '../../deploy/grafana/dashboard.ts';
import { LATE_AFTER_S } from '../../domain/operations/delays.ts';
import { METRICS } from '../../domain/telemetry/metrics.ts';
import { ROOT, sourceFiles } from './source-files.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

const Rules = z.object({
  groups: z.array(
    z.object({
      rules: z.array(
        z.object({
          alert: z.string().regex(/^Engine[A-Z][A-Za-z]+$/),
          expr: z.string(),
          for: z.string(),
          labels: z.object({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.object({ summary: z.string().min(10), runbook: z.string() }),
        }),
      ),
    }),
  ),
});
const alerts = Rules.parse(parse(read('deploy/prometheus/alerts.yml'))).groups.flatMap(({ rules }) => rules);

/** Every series that Prometheus keeps of the engine's metrics. */
const SERIES = new Set(
  Object.entries(METRICS).flatMap(([name, { type }]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  ),
);

/** Returns the anchors of a page (GitHub's rule). */
function anchorsOf(page: string): Set<string> {
  const headings = [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const RUNBOOKS = globSync('docs/operate/runbooks/*.md', { cwd: ROOT });

/** The alert that judges each kind of late work. */
const LATE_ALERTS = {
  messages: 'EngineMessagesLate',
  answers: 'EngineAnswersOwed',
  promises: 'EngineDispatchesWait',
  events_in: 'EngineEventsNotApplied',
  events_out: 'EngineWebhooksLate',
} as const satisfies Record<keyof typeof LATE_AFTER_S, string>;

describe('the metrics', () => {
  it.each(Object.entries(LATE_ALERTS))('have the same bound for late %s in the alert and in the page', (work, name) => {
    const bound = Number(/ > (\d+)$/.exec(alerts.find(({ alert }) => alert === name)?.expr ?? '')?.[1]);
    const [, minutes] = new RegExp(`\\| (\\d+) min +\\| \`${work}\` `).exec(read('docs/operate/monitor.md')) ?? [];
    const bounds = new Map(Object.entries(LATE_AFTER_S));
    expect([bound, Number(minutes) * 60]).toEqual([bounds.get(work), bounds.get(work)]);
  });

  it('are explained to operators by the table that defines them', () => {
    expect(readFileSync(METRICS_PAGE, 'utf8')).toBe(metricsPage());
  });

  it.each(['deploy/grafana/engine.json', 'deploy/prometheus/alerts.yml', 'deploy/prometheus/alerts.test.yml'])(
    '%s names none that is not in the table',
    (path) => {
      const named = read(path).match(/\bengine_[a-z_]+/g) ?? [];
      expect(named.length).toBeGreaterThan(0);
      expect(named.filter((name) => !SERIES.has(name))).toEqual([]);
    },
  );

  it.each(['docs/operate/monitor.md', 'docs/operate/scale.md', ...RUNBOOKS])(
    '%s names none that is not there',
    (path) => {
      const named = read(path).match(/`engine_(?!trouble|down)[a-z_]+/g) ?? [];
      expect(named.map((name) => name.slice(1)).filter((name) => !(name in METRICS))).toEqual([]);
    },
  );

  it('have no label whose values grow with what is sent', () => {
    const labels = new Set(Object.values(METRICS).flatMap((metric) => Object.keys(metric.labels)));
    const bounded = ['method', 'route', 'status', 'class', 'outcome', 'state', 'for', 'priority', 'breaker', 'kind'];
    const chosenByOperators = ['backend', 'model', 'agency', 'step'];
    expect([...labels].filter((label) => ![...bounded, ...chosenByOperators].includes(label))).toEqual([]);
    const ofAgencies = Object.entries(METRICS).flatMap(([name, metric]) => ('agency' in metric.labels ? [name] : []));
    expect(ofAgencies).toEqual([
      'engine_ai_tokens_today',
      'engine_ai_cost_today',
      'engine_storage_bytes',
      'engine_storage_used_share',
    ]);
  });
});

describe('the libraries of traces', () => {
  it('are loaded only where traces are on, by one file that nothing of the engine imports at its top', () => {
    const users = sourceFiles().filter(
      ({ path, text }) => !path.startsWith('test/') && text.includes("'@opentelemetry/"),
    );
    expect(users.map(({ path }) => path)).toEqual(['bin/telemetry/tracing.ts']);
    const importers = sourceFiles().filter(
      ({ path, text }) => !path.startsWith('test/') && text.includes("from './telemetry/tracing.ts'"),
    );
    expect(importers).toEqual([]);
  });
});

describe('the dashboard', () => {
  it('is what its source makes (npm run dashboard)', () => {
    expect(JSON.parse(readFileSync(DASHBOARD_FILE, 'utf8'))).toEqual(JSON.parse(JSON.stringify(DASHBOARD)));
  });

  it('has a title, an id and a place for each panel, and a name for each line', () => {
    const ids = DASHBOARD.panels.map(({ id }) => id);
    expect(new Set(ids).size).toBe(DASHBOARD.panels.length);
    for (const panel of DASHBOARD.panels) {
      expect(panel.title).toMatch(/\w/);
      if (!('targets' in panel)) continue;
      expect(panel.targets?.every((target) => String(target['legendFormat']).length > 0)).toBe(true);
    }
  });
});

describe('the alerts', () => {
  it('have names of their own', () => {
    expect(new Set(alerts.map(({ alert }) => alert)).size).toBe(alerts.length);
  });

  it.each(alerts.map(({ alert, annotations }) => [alert, annotations.runbook]))('%s leads to %s', (_alert, runbook) => {
    const [page = '', anchor] = runbook.split('#');
    const anchors = [...anchorsOf(page)];
    expect(anchors).toContain(anchor ?? anchors[0]);
  });
});
