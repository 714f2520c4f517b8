import { readdirSync, readFileSync } from 'node:fs';
import { KINDS } from './kinds.ts';
import type { CpuMs } from './kinds.ts';

/** The unit in which Linux counts CPU time: 100 ticks a second on every common build. */
const TICK_MS = 10;

/**
 * Returns the milliseconds of CPU that a process and its descendants have used so far, those too that have ended: a
 * server's connections come and go.
 */
export function cpuMs(pid: number): number {
  const parents = new Map<number, number>();
  const used = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const id = Number(name);
    const facts = Number.isInteger(id) ? statOf(id) : undefined;
    if (!facts) continue;
    parents.set(id, facts.parent);
    used.set(id, facts.usedMs);
  }
  let total = 0;
  for (const [id, ms] of used) if (isBelow(id, pid, parents)) total += ms;
  return total;
}

function statOf(pid: number): { parent: number; usedMs: number } | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    // Its own time by itself and in the kernel, then both of its children that have ended.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), usedMs: ticks * TICK_MS };
  } catch {
    // The process has ended since it was listed.
    return undefined;
  }
}

function isBelow(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  for (let id: number | undefined = pid; id !== undefined && id > 1; id = parents.get(id)) {
    if (id === ancestor) return true;
  }
  return false;
}

/** Adds up what an installation uses: all kinds but the sandbox, which is not part of one. */
export function totalCpu(used: CpuMs): number {
  return KINDS.reduce((sum, kind) => sum + (kind === 'sandbox' ? 0 : (used[kind] ?? 0)), 0);
}
