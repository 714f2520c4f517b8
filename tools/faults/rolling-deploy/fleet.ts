import { EngineProcess, ROOT } from '../../demo/engine-process.ts';
import type { Machine } from '../../demo/engine-process.ts';
import { freePort } from '../../../local/embedded/port.ts';
import type { Upstream } from './balancer.ts';

type Half = 'api' | 'worker';

/** A process of a fleet: an API with a port of its own, or a worker. */
interface Member {
  half: Half;
  machine: Machine;
  api?: Upstream;
  running?: EngineProcess;
}

export interface FleetOptions {
  /** The files of the release; those of this checkout when left out. */
  root?: string;
  /** The number of APIs, and of workers. */
  processes?: number;
}

/**
 * Matches PostgreSQL's error codes for missing names, wrong types and forbidden writes, by which a schema that does not
 * fit shows.
 */
const MISFIT = /"code":"(22|23|42)[0-9A-Z]{3}"/;

/** The APIs and the workers of one release, as processes of their own on the machine's servers. */
export class Fleet {
  readonly #name: string;
  readonly #members: readonly Member[];
  readonly #started: EngineProcess[] = [];

  private constructor(name: string, members: readonly Member[]) {
    this.#name = name;
    this.#members = members;
  }

  static async of(name: string, machine: Machine, { root = ROOT, processes = 1 }: FleetOptions = {}): Promise<Fleet> {
    const members: Member[] = [];
    for (let index = 0; index < processes; index += 1) {
      const port = await freePort();
      const environment = { ...machine.environment, PORT: String(port) };
      const of = { ...machine, root, environment };
      members.push({ half: 'api', machine: of, api: { name, port } }, { half: 'worker', machine: of });
    }
    return new Fleet(name, members);
  }

  /** The APIs that requests go to. */
  get apis(): Upstream[] {
    return this.#members.flatMap(({ api }) => api ?? []);
  }

  async start(): Promise<void> {
    await Promise.all(this.#members.map((member) => this.#run(member)));
  }

  /** Stops all in order, the APIs first, so that the workers still send the messages that the APIs have accepted. */
  async stop(): Promise<void> {
    for (const half of ['api', 'worker'] as const) {
      for (const member of this.#members) if (member.half === half) await this.#stop(member);
    }
  }

  /** Stops each process and starts it again, while the others serve; `serve` is told which APIs there are meanwhile. */
  async restartEach(serve: (...apis: Upstream[]) => void): Promise<void> {
    for (const member of this.#members) {
      serve(...this.apis.filter((api) => api !== member.api));
      await this.#stop(member);
      await this.#run(member);
    }
    serve(...this.apis);
  }

  async kill(): Promise<void> {
    const running = this.#members.flatMap((member) => member.running ?? []).filter((process) => !process.hasExited);
    await Promise.all(running.map((process) => process.signal('SIGKILL')));
  }

  /** Lists the lines of the processes' logs that show errors of the schema. */
  misfits(): string[] {
    return this.#started
      .flatMap((process) => process.output.split('\n'))
      .filter((line) => MISFIT.test(line))
      .map((line) => `${this.#name} logged: ${line.slice(0, 500)}`);
  }

  async #run(member: Member): Promise<void> {
    const process = await EngineProcess.start(member.machine, member.half);
    this.#started.push(process);
    member.running = process;
  }

  async #stop({ half, running }: Member): Promise<void> {
    if (running?.hasExited !== false) return;
    const code = await running.stop();
    if (code !== 0) throw new Error(`The ${half} of ${this.#name} must stop with exit code 0: ${code}.`);
  }
}
