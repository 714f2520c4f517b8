import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DASHBOARD } from '../grafana/dashboard.ts';

/**
 * Has Prometheus's own `promtool` check the rules, try them, and read every query of the dashboard. If it is missing,
 * it is taken out of Debian's package, without being installed.
 */

const HERE = fileURLToPath(new URL('.', import.meta.url));

const scratch = mkdtempSync(join(tmpdir(), 'engine-alerts-'));
try {
  const promtool = findPromtool();
  const run = (...words: string[]): void => void execFileSync(promtool, words, { cwd: HERE, stdio: 'inherit' });
  run('check', 'rules', 'alerts.yml');
  run('test', 'rules', 'alerts.test.yml');
  const queries = join(scratch, 'dashboard.yml');
  writeFileSync(queries, rulesOf(queriesOfDashboard()));
  run('check', 'rules', queries);
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function findPromtool(): string {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' });
    return 'promtool';
  } catch {
    const inScratch = { cwd: scratch, stdio: 'inherit' } as const;
    execFileSync(
      'sh',
      ['-c', 'apt-get download -q prometheus || { apt-get update -q && apt-get download -q prometheus; }'],
      inScratch,
    );
    execFileSync('sh', ['-c', 'dpkg-deb -x prometheus_*.deb .'], inScratch);
    return join(scratch, 'usr/bin/promtool');
  }
}

function queriesOfDashboard(): string[] {
  const targets = DASHBOARD.panels.flatMap((panel) => ('targets' in panel ? (panel.targets ?? []) : []));
  return targets.flatMap(({ expr }) => (typeof expr === 'string' ? [expr] : []));
}

/** JSON is YAML, too. Grafana puts its own range in before it asks. */
function rulesOf(queries: readonly string[]): string {
  const rules = queries.map((expr, index) => ({
    record: `panel:query:${index}`,
    expr: expr.replaceAll('$__rate_interval', '1m'),
  }));
  return JSON.stringify({ groups: [{ name: 'dashboard', rules }] });
}
