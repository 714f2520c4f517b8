import type { FlowTask } from '../flow.ts';
import type { Problems } from './problems.ts';

/** The tasks that are read so far, and what their reading needs. */
export interface Reading {
  problems: Problems;
  tasks: Map<string, FlowTask>;
  lists: Map<string, readonly string[]>;
  declaredSecrets: ReadonlySet<string>;
  usedSecrets: Set<string>;
  count: number;
}
