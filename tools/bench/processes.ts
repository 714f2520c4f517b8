import { cpuMs } from './cpu.ts';
import { KINDS } from './kinds.ts';
import type { Kind } from './kinds.ts';

/** The processes of a bench by kind, with the CPU time of those that have ended. */
export class Processes {
  readonly #running = new Map<number, Kind>();
  readonly #endedMs = new Map<Kind, number>();

  add(kind: Kind, pid: number): void {
    this.#running.set(pid, kind);
  }

  /** Must be called before the process ends: its CPU time is gone afterwards. */
  remove(pid: number): void {
    const kind = this.#running.get(pid);
    if (kind === undefined) return;
    this.#endedMs.set(kind, (this.#endedMs.get(kind) ?? 0) + cpuMs(pid));
    this.#running.delete(pid);
  }

  of(kind: Kind): number[] {
    return [...this.#running].flatMap(([pid, its]) => (its === kind ? [pid] : []));
  }

  /** Returns the CPU time of all processes so far, in milliseconds by kind. */
  cpuMs(): Record<Kind, number> {
    const of = (kind: Kind): number =>
      this.of(kind).reduce((sum, pid) => sum + cpuMs(pid), this.#endedMs.get(kind) ?? 0);
    const [engine = 0, api = 0, worker = 0, postgres = 0, temporal = 0, sandbox = 0] = KINDS.map(of);
    return { engine, api, worker, postgres, temporal, sandbox };
  }
}
