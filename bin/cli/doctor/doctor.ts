import { readDatabaseHealth } from '../../../db/operations/database-health.ts';
import type { DatabaseHealth } from '../../../db/operations/database-health.ts';
import { readTemporalHealth } from '../../../loops/dispatch/temporal-health.ts';
import { reasonOf } from '../../../local/embedded/error-reason.ts';
import { temporalTarget } from '../../temporal-target.ts';
import type { Home } from '../home.ts';
import { plural } from '../plural.ts';
import type { Facts } from '../status/facts.ts';
import { gatherFacts } from '../status/gather.ts';
import { linesOf } from '../status/lines.ts';
import { backendFindings } from './backends.ts';
import { databaseFindings } from './database.ts';
import { unknown, warning, ok } from './finding.ts';
import type { Finding, Level } from './finding.ts';
import { machineFindings } from './machine.ts';
import { secretFindings } from './secrets.ts';
import { temporalFindings } from './temporal.ts';
import { tenantFindings } from './tenants.ts';
import type { Config } from '../../../config/config.ts';
import { sharedMediaHost } from '../../media-host.ts';

/** Something is a problem of the engine; nothing is, whatever tenants and receivers do. */
const EXIT = { well: 0, problem: 1 } as const;

/**
 * The lines of `engine status` that tell of the engine itself, where what is wrong is a problem. The others tell of
 * tenants, receivers and messages, where it is a warning.
 */
const OWN: readonly string[] = ['API', 'Database', 'Repairs', 'Disk'];

/** Lines of `engine status` of which the doctor says more by itself. */
const SAID_OTHERWISE: readonly string[] = ['Sessions'];

interface Wanted {
  json: boolean;
  say: (line: string) => void;
}

/**
 * Examines everything that an operator would, says of each thing whether it is well, and what to do where it is not. It
 * changes nothing, and says what it can while the engine is down. Returns the exit code.
 */
export async function doctor(home: Home, { json, say }: Wanted): Promise<number> {
  const facts = await gatherFacts(home);
  const findings = await examine(home, facts);
  const count = (level: Level): number => findings.filter((finding) => finding.level === level).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  if (json) say(JSON.stringify({ version: facts.version, problems, warnings, findings }, null, 2));
  else {
    for (const { about, level, says, todo } of findings) {
      say(`${level.padEnd(8)} ${about.padEnd(12)} ${says}`);
      for (const sentence of todo) say(`${' '.repeat(22)}→ ${sentence}`);
    }
    say(`${plural(problems, 'problem')}, ${plural(warnings, 'warning')}; ${count('ok')} checks are well.`);
  }
  return problems > 0 ? EXIT.problem : EXIT.well;
}

async function examine({ config }: Home, facts: Facts): Promise<Finding[]> {
  const { temporalAddress } = config;
  const databaseUrl = config.databaseDirectUrl ?? config.databaseUrl;
  const [database, temporal] = await Promise.all([
    attempt(databaseUrl === undefined ? null : () => readDatabaseHealth(databaseUrl)),
    attempt(temporalAddress === undefined ? null : () => readTemporalHealth(temporalTarget(config))),
  ]);
  const health: DatabaseHealth | null = 'found' in database ? database.found : null;
  const tenants = health === null ? [] : tenantFindings(health);
  return [
    ...withoutRepeats(fromStatus(facts), tenants),
    ...(health === null ? unseen('Schema, WAL …', database, facts.database.is) : databaseFindings(health)),
    ...tenants,
    ...('found' in temporal ? temporalFindings(temporal.found) : unseen('Queues …', temporal, facts.temporal.is)),
    ...(await backendFindings(config, health)),
    ...(await machineFindings(config, facts)),
    ...(await secretFindings(config)),
    ...mediaFindings(config),
  ];
}

function fromStatus(facts: Facts): Finding[] {
  return linesOf(facts)
    .filter(({ about }) => !SAID_OTHERWISE.includes(about))
    .map(({ about, says, todo }) => {
      const isOwn =
        OWN.includes(about) ||
        (about === 'Temporal' && facts.temporal.is === 'missing') ||
        // Another encryption key is nothing that a receiver has done.
        (about === 'Webhooks' && facts.database.is === 'found' && facts.database.value.unreadableSecrets > 0);
      const level = todo.length === 0 ? wellOrUnknown(facts, about) : isOwn ? 'problem' : 'warning';
      return { about, level, says, todo };
    });
}

/** While the engine starts or stops, a part that is missing has nothing to be done about it, and is not well either. */
function wellOrUnknown({ comesOrGoes, api, database, temporal }: Facts, about: string): Level {
  const part = new Map([
    ['API', api.is],
    ['Database', database.is],
    ['Temporal', temporal.is],
  ]).get(about);
  return comesOrGoes !== null && part === 'missing' ? 'unknown' : 'ok';
}

/** Takes out what another finding says to do in the same words: `engine status` also names endpoints. */
function withoutRepeats(findings: Finding[], others: readonly Finding[]): Finding[] {
  const said = new Set(others.flatMap(({ todo }) => todo));
  return findings.map((finding) => ({ ...finding, todo: finding.todo.filter((sentence) => !said.has(sentence)) }));
}

type Attempt<T> = { found: T } | { why: string };

async function attempt<T>(read: (() => Promise<T>) | null): Promise<Attempt<T>> {
  if (read === null) return { why: 'its address is not known' };
  try {
    return { found: await read() };
  } catch (error) {
    return { why: reasonOf(error) };
  }
}

/**
 * Reports an unknown fact. A failed connection is a problem of its own line. A service that responds but cannot be
 * examined needs a person.
 */
function unseen<T>(about: string, tried: Attempt<T>, is: 'found' | 'missing'): Finding[] {
  if ('found' in tried) return [];
  if (is === 'missing') return [unknown(about, `not looked at: ${tried.why}`)];
  return [warning(about, `cannot be examined: ${tried.why}`, 'Give the engine the rights for it, or ask again.')];
}

/** Says in production whether files of strangers have a host of their own. */
export function mediaFindings(config: Config): Finding[] {
  if (config.nodeEnv !== 'production') return [];
  const todo = sharedMediaHost(config);
  if (todo !== null)
    return [warning('Media host', 'files of strangers have the host of the console and the API', todo)];
  return [ok('Media host', `files come from ${new URL(config.mediaPublicUrl ?? config.publicUrl).host}`)];
}
