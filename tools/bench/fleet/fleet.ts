import { rm } from 'node:fs/promises';
import { buildWorkflowBundle, prebuiltWorkflows } from '../../../bin/bundle.ts';
import { loadConfig } from '../../../config/config.ts';
import { freePort } from '../../../local/embedded/port.ts';
import type { Child } from '../child.ts';
import type { Kind } from '../kinds.ts';
import type { Machine } from '../machine.ts';
import { Balancer } from './balancer.ts';

type Half = Extract<Kind, 'api' | 'worker'>;

/**
 * An engine as it runs in production: as many API and worker processes as wanted on one database, behind one address.
 */
export class Fleet {
  readonly #machine: Machine;
  readonly #balancer: Balancer;
  readonly #removeBundle: () => Promise<void>;
  readonly #more: Record<string, string>;
  readonly #children: Record<Half, Child[]> = { api: [], worker: [] };

  private constructor(
    machine: Machine,
    parts: { balancer: Balancer; removeBundle: () => Promise<void>; more: Record<string, string> },
  ) {
    this.#machine = machine;
    this.#balancer = parts.balancer;
    this.#removeBundle = parts.removeBundle;
    this.#more = parts.more;
  }

  /** Starts an API and a worker on a new database; `more` are further settings of all processes. */
  static async start(machine: Machine, more: Record<string, string> = {}): Promise<Fleet> {
    await machine.newSeries();
    const parts = { balancer: await Balancer.start(), removeBundle: await bundleOnce(machine), more };
    const fleet = new Fleet(machine, parts);
    await fleet.grow(1);
    return fleet;
  }

  get url(): string {
    return this.#balancer.url;
  }

  get machine(): Machine {
    return this.#machine;
  }

  /** The number of API processes, which is that of workers, too. */
  get size(): number {
    return this.#children.worker.length;
  }

  /** Adds processes until there are `count` of each half. */
  async grow(count: number): Promise<void> {
    while (this.size < count) {
      const port = await freePort();
      this.#children.api.push(await this.#start('api', { PORT: String(port) }));
      this.#balancer.add(port);
      this.#children.worker.push(await this.#start('worker', {}));
    }
  }

  async stop(): Promise<void> {
    const children = [...this.#children.worker, ...this.#children.api];
    await Promise.all(children.map((child) => child.stop()));
    await this.#balancer.stop();
    await this.#removeBundle();
  }

  async #start(half: Half, more: Record<string, string>): Promise<Child> {
    return this.#machine.startEngine(half, { PUBLIC_URL: this.#balancer.url, ...this.#more, ...more });
  }
}

/** Bundles the workflows once for all workers, each of which would take seconds to make a bundle of its own. */
async function bundleOnce(machine: Machine): Promise<() => Promise<void>> {
  if (prebuiltWorkflows(loadConfig(machine.env()))) return async () => undefined;
  const path = await buildWorkflowBundle();
  return () => rm(path, { force: true });
}
