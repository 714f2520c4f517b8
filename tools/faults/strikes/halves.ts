import { EngineProcess } from '../../demo/engine-process.ts';
import type { Machine } from '../../demo/engine-process.ts';
import { takeLeftServers } from '../left-servers.ts';
import type { LeftServers } from '../left-servers.ts';

type Half = 'api' | 'worker';

/** API and worker as processes of their own, on the servers that a killed engine has left behind. */
export class Halves {
  readonly databaseUrl: string;
  readonly #servers: LeftServers;
  readonly #running = new Map<Half, EngineProcess>();
  #released = false;

  private constructor(servers: LeftServers) {
    this.#servers = servers;
    this.databaseUrl = servers.databaseUrl;
  }

  static async start(machine: Machine): Promise<Halves> {
    const halves = new Halves(await takeLeftServers(machine));
    await Promise.all([halves.run('api'), halves.run('worker')]);
    return halves;
  }

  async run(half: Half): Promise<void> {
    this.#running.set(half, await EngineProcess.start(this.#servers.machine, half));
  }

  /** Ends one of the two processes, in order or by a kill; the other and the servers live on. */
  async end(half: Half, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const code = await this.#running.get(half)?.signal(signal);
    if (signal === 'SIGTERM' && code !== 0) throw new Error(`The ${half} must stop with exit code 0: ${code}.`);
  }

  /** Stops both processes. Safe to repeat. */
  async stop(): Promise<void> {
    const running = [...this.#running.values()].filter((half) => !half.hasExited);
    await Promise.all(running.map((half) => half.stop()));
    if (!this.#released) await this.#servers.release();
    this.#released = true;
  }
}
