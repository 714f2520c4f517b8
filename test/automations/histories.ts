import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { workflowId } from '../../domain/names.ts';
import type { TestEngine } from '../support/engine.ts';
import { rowsOf } from '../support/rows.ts';
import { HISTORIES, historyText } from '../replay/histories.ts';

/** The folder of the automations' histories, one for every recorded version: they replay forever. */
export const AUTOMATIONS = 'automations';
const FOLDER = new URL(`${AUTOMATIONS}/`, HISTORIES);

/** Names the automation whose executions the kit records when a file of tests ends. */
export const RECORDED = 'RECORD_AUTOMATION';
/** Names the directory for these histories, until the whole test has passed. */
export const DRAFTS = 'RECORD_INTO';

/** The recorded histories of a version of an automation, by their files. */
export function historiesOf(automation: string, version: number): string[] {
  const stem = stemOf(automation, version);
  return readdirSync(FOLDER).filter((file) => file.startsWith(stem) && /^\d+\.json$/.test(file.slice(stem.length)));
}

/** Says why nothing may be recorded for an automation now; null when it may. */
export function refusalToRecord(automation: string, versions: ReadonlyMap<string, number>): string | null {
  const version = versions.get(automation);
  if (version === undefined) {
    return `No automation "${automation}" exists: name one of ${[...versions.keys()].join(', ')}.`;
  }
  const recorded = historiesOf(automation, version);
  if (recorded.length === 0) return null;
  return (
    `Version ${version} of ${automation} is already recorded, and open executions must fit its histories. ` +
    'Raise the version, keep the old path behind context.version, and record again. ' +
    `If no engine has run this version, delete its histories first: ${recorded.map((file) => `test/replay/histories/${AUTOMATIONS}/${file}`).join(', ')}.`
  );
}

function stemOf(automation: string, version: number): string {
  return `run-automation-${automation}-v${version}-`;
}

/**
 * Runs the test of an automation, and keeps the histories of its executions if it passes: those of a failing test would be
 * replayed for ever. Answers their files, or null when the test failed.
 */
export function recordIfPassed(runTest: (drafts: string) => boolean, folder = fileURLToPath(FOLDER)): string[] | null {
  const drafts = mkdtempSync(join(tmpdir(), 'automation-histories-'));
  try {
    if (!runTest(drafts)) return null;
    mkdirSync(folder, { recursive: true });
    const files = readdirSync(drafts).toSorted();
    for (const file of files) copyFileSync(join(drafts, file), join(folder, file));
    return files;
  } finally {
    rmSync(drafts, { recursive: true });
  }
}

/** Writes the history of each execution that a file of tests has begun, when `npm run automation:record` runs it. */
export async function recordExecutions({ database, temporal }: TestEngine): Promise<void> {
  const automation = process.env[RECORDED];
  const drafts = process.env[DRAFTS];
  if (automation === undefined || drafts === undefined) return;
  const executions = await rowsOf(
    database,
    sql<{ id: string; version: number }>`
      select id, definition_version as version from automation_execution
      where definition = ${automation} and definition_version is not null order by created_at, id`,
  );
  for (const [index, { id, version }] of executions.entries()) {
    const history = await temporal.workflow.getHandle(workflowId('runAutomation', id)).fetchHistory();
    writeFileSync(join(drafts, `${stemOf(automation, version)}${index + 1}.json`), historyText(history));
  }
}
