import { readdirSync, readFileSync } from 'node:fs';

const KB_IN_MB = 1_024;

export interface ProcessMemory {
  command: string;
  /** Pages that processes share are divided among them, so that PostgreSQL's shared buffers count once. */
  megabytes: number;
}

/** Lists a process and its descendants with the memory that each holds. */
export function memoryBelow(pid: number): ProcessMemory[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc')) {
    const parent = /\nPPid:\s+(\d+)/.exec(read(`/proc/${name}/status`))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  return [...parents.keys()]
    .filter((id) => isBelow(id, pid, parents))
    .map((id) => ({
      command: read(`/proc/${id}/cmdline`).replaceAll('\0', ' '),
      megabytes: Number(/\nPss:\s+(\d+)/.exec(read(`/proc/${id}/smaps_rollup`))?.[1] ?? 0) / KB_IN_MB,
    }));
}

export function memoryMb(pid: number): number {
  return memoryBelow(pid).reduce((sum, { megabytes }) => sum + megabytes, 0);
}

/** Returns the megabytes that new processes can have without swapping. */
export function availableMb(): number {
  return Number(/MemAvailable:\s+(\d+)/.exec(read('/proc/meminfo'))?.[1] ?? 0) / KB_IN_MB;
}

/** Reads a file of /proc; empty when its process has ended meanwhile. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isBelow(pid: number, ancestor: number, parents: ReadonlyMap<number, number>): boolean {
  for (let id: number | undefined = pid; id !== undefined && id > 1; id = parents.get(id)) {
    if (id === ancestor) return true;
  }
  return false;
}
