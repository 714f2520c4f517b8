import { EngineProcess } from '../demo/engine-process.ts';
import type { Machine } from '../demo/engine-process.ts';
import { openDataDirectory } from '../embedded/data-directory.ts';
import type { DataDirectory } from '../embedded/data-directory.ts';
import { startPostgres } from '../embedded/postgres.ts';
import { readRecord } from '../embedded/temporal-record.ts';

type Half = 'api' | 'worker';

const SECRET_BYTES = 32;
/** The files of the data directory in which an engine keeps what it made, and the variables of the same meaning. */
const SECRETS = {
  ENGINE_API_KEY: 'engine-api-key',
  WORKFLOW_ENGINE_INTERNAL_PSK: 'internal-psk',
  ENGINE_ENCRYPTION_KEY: 'encryption-key',
  BACKEND_WEBHOOK_SECRET: 'backend-webhook-secret',
} as const;

/** API and worker as processes of their own, on the servers that a killed engine has left behind. */
export class Halves {
  readonly databaseUrl: string;
  readonly #machine: Machine;
  readonly #directory: DataDirectory;
  readonly #running = new Map<Half, EngineProcess>();
  #released = false;

  private constructor(machine: Machine, directory: DataDirectory, databaseUrl: string) {
    this.#machine = machine;
    this.#directory = directory;
    this.databaseUrl = databaseUrl;
  }

  static async start(machine: Machine): Promise<Halves> {
    const log = (): void => undefined;
    const directory = await openDataDirectory({ path: machine.dataDir });
    const postgres = await startPostgres({ dataDir: directory.path, log });
    const temporal = readRecord(directory.path);
    if (!temporal) throw new Error('The killed engine has left no Temporal behind.');
    const environment: Record<string, string> = {
      ...machine.environment,
      DATABASE_URL: postgres.url,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      EGRESS_ALLOW: '127.0.0.0/8',
    };
    for (const [name, file] of Object.entries(SECRETS)) {
      environment[name] = await directory.readOrCreateSecret(file, SECRET_BYTES);
    }
    const halves = new Halves({ ...machine, environment }, directory, postgres.url);
    await Promise.all([halves.run('api'), halves.run('worker')]);
    return halves;
  }

  async run(half: Half): Promise<void> {
    this.#running.set(half, await EngineProcess.start(this.#machine, half));
  }

  /** Ends the one process, in order or not; the other and the servers live on. */
  async end(half: Half, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const code = await this.#running.get(half)?.signal(signal);
    if (signal === 'SIGTERM' && code !== 0) throw new Error(`The ${half} must stop with exit code 0: ${code}.`);
  }

  /** Safe to repeat. */
  async stop(): Promise<void> {
    const running = [...this.#running.values()].filter((half) => !half.hasExited);
    await Promise.all(running.map((half) => half.stop()));
    if (!this.#released) await this.#directory.release();
    this.#released = true;
  }
}
