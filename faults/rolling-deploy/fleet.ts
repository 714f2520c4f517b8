import { EngineProcess, ROOT } from '../../demo/engine-process.ts';
import type { Machine } from '../../demo/engine-process.ts';
import { freePort } from '../../embedded/port.ts';
import type { Upstream } from './balancer.ts';

type Half = 'api' | 'worker';

/**
 * Matches PostgreSQL's error codes for missing names, wrong types and forbidden writes, by which a schema that does not
 * fit shows.
 */
const MISFIT = /"code":"(22|23|42)[0-9A-Z]{3}"/;

/** The API and the worker of one release, as processes of their own on the machine's servers. */
export class Fleet {
  readonly api: Upstream;
  readonly #machine: Machine;
  readonly #started: EngineProcess[] = [];
  readonly #running = new Map<Half, EngineProcess>();

  private constructor(name: string, machine: Machine, port: number) {
    this.api = { name, port };
    this.#machine = { ...machine, environment: { ...machine.environment, PORT: String(port) } };
  }

  static async of(name: string, machine: Machine, root = ROOT): Promise<Fleet> {
    return new Fleet(name, { ...machine, root }, await freePort());
  }

  async start(): Promise<void> {
    await Promise.all([this.#run('api'), this.#run('worker')]);
  }

  /**
   * Stops both processes in order, the API first, so that the worker still sends the messages that the API has
   * accepted.
   */
  async stop(): Promise<void> {
    for (const half of ['api', 'worker'] as const) {
      const running = this.#running.get(half);
      if (running?.hasExited !== false) continue;
      const code = await running.stop();
      if (code !== 0) throw new Error(`The ${half} of ${this.api.name} must stop with exit code 0: ${code}.`);
    }
  }

  async kill(): Promise<void> {
    const running = [...this.#running.values()].filter((half) => !half.hasExited);
    await Promise.all(running.map((half) => half.signal('SIGKILL')));
  }

  /** Lists the lines of the processes' logs that show errors of the schema. */
  misfits(): string[] {
    return this.#started
      .flatMap((process) => process.output.split('\n'))
      .filter((line) => MISFIT.test(line))
      .map((line) => `${this.api.name} logged: ${line.slice(0, 500)}`);
  }

  async #run(half: Half): Promise<void> {
    const process = await EngineProcess.start(this.#machine, half);
    this.#started.push(process);
    this.#running.set(half, process);
  }
}
