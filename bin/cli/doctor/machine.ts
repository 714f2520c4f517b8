import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../../config/config.ts';
import { reasonOf } from '../../../local/embedded/error-reason.ts';
import { accepts } from '../../../local/embedded/port.ts';
import { readRecord } from '../../../local/embedded/temporal/record.ts';
import type { Facts } from '../status/facts.ts';
import { ok, problem, unknown, warning } from './finding.ts';
import type { Finding } from './finding.ts';

const GB = 2 ** 30;
const DISK_BYTES = { problem: GB, warning: 5 * GB };
/** An API or a worker takes about 200 MB, and beside `npm start` PostgreSQL and Temporal as much again. */
const MEMORY_BYTES = { problem: GB / 8, warning: GB / 2 };
const STORE_ANSWERS_WITHIN_MS = 5_000;

/** Says how the machine is on which the command runs. */
export async function machineFindings(config: Config, facts: Facts): Promise<Finding[]> {
  return [
    ok('Node', `${facts.node}, which is new enough`),
    memory(process.availableMemory()),
    await ports(config, facts),
    await files(config),
  ];
}

export function memory(availableBytes: number): Finding {
  const says = `${Math.round(availableBytes / 2 ** 20)} MB are available`;
  const todo = 'Add memory, or end other programs: the system kills a process that runs out of it.';
  if (availableBytes < MEMORY_BYTES.problem) return problem('Memory', says, todo);
  return availableBytes < MEMORY_BYTES.warning ? warning('Memory', says, todo) : ok('Memory', says);
}

/** While the engine is down, another program may have one of its ports, or the Temporal that a killed engine has left. */
async function ports(config: Config, facts: Facts): Promise<Finding> {
  const { port, sandboxPort, temporalPort, temporalUiPort, dataDir } = config;
  if (facts.runs !== null || facts.api.is === 'found') return ok('Ports', 'the engine has its own');
  const wanted = {
    PORT: port,
    ...(config.metricsPort === undefined ? {} : { METRICS_PORT: config.metricsPort }),
    SANDBOX_PORT: sandboxPort,
    TEMPORAL_PORT: temporalPort,
    TEMPORAL_UI_PORT: temporalUiPort,
  };
  const left = readRecord(dataDir);
  const found = await Promise.all(
    Object.entries(wanted).map(async ([variable, number]) =>
      number !== left?.port && number !== left?.uiPort && (await accepts(number)) ? [`${variable} ${number}`] : [],
    ),
  );
  const taken = found.flat();
  if (taken.length === 0) {
    const own = left && `; its own Temporal still runs at ${left.port}, and the next start takes it over`;
    return ok('Ports', `those of the engine are free${own ?? ''}`);
  }
  return problem('Ports', `taken: ${taken.join(', ')}`, 'End the program that listens there, or set another port.');
}

async function files({ dataDir, s3Endpoint, s3Bucket }: Config): Promise<Finding> {
  if (s3Endpoint === undefined) return directory(dataDir);
  const says = `bucket ${s3Bucket ?? ''} at ${new URL(s3Endpoint).host}`;
  try {
    // Whatever it answers, it is there; whether the keys fit is seen by the first file.
    await fetch(s3Endpoint, { method: 'HEAD', signal: AbortSignal.timeout(STORE_ANSWERS_WITHIN_MS) });
    return ok('Files', says);
  } catch (error) {
    return problem('Files', `${says} does not answer: ${reasonOf(error)}`, 'Fix S3_ENDPOINT, or start the store.');
  }
}

async function directory(dataDir: string): Promise<Finding> {
  // The first file makes the directory for them.
  const place = await statfs(join(dataDir, 'media')).catch(() => statfs(dataDir).catch(() => null));
  if (place === null) return unknown('Files', `${dataDir} is not here: the files are where API and workers run`);
  return space(place.bavail * place.bsize, dataDir);
}

export function space(freeBytes: number, dataDir: string): Finding {
  const says = `${join(dataDir, 'media')} has ${(freeBytes / GB).toFixed(1)} GB left`;
  const todo =
    'Free space on the disk: the engine refuses files, and a database there accepts nothing (docs/operate/runbooks/the-disk-is-full.md).';
  if (freeBytes < DISK_BYTES.problem) return problem('Files', says, todo);
  return freeBytes < DISK_BYTES.warning ? warning('Files', says, todo) : ok('Files', says);
}
