import { execFileSync } from 'node:child_process';

/** The processes and the children that each has already, such as PostgreSQL's connections. */
export function withChildren(pids: readonly number[]): number[] {
  const listed = execFileSync('ps', ['-e', '-o', 'pid=,ppid=']).toString().trim().split('\n');
  const children = listed.flatMap((line) => {
    const [pid, parent] = line.trim().split(/\s+/).map(Number);
    return pid !== undefined && parent !== undefined && pids.includes(parent) ? [pid] : [];
  });
  return [...new Set([...pids, ...children])];
}
