import { createHash } from 'node:crypto';

/** The place of one item in n8n: the same again when the node, or the whole execution, is tried again. */
export interface Place {
  /** The n8n, because two may have executions of equal numbers. */
  instance: string;
  workflow: string;
  /** The first execution, of which others may be retries. */
  execution: string;
  node: string;
  /** Counts the node's earlier runs in the execution: loops send in each round. */
  run: number;
  item: number;
}

/**
 * Returns the request's key at the engine. It is a digest, so that a long id or a node's name cannot make it invalid.
 */
export function idempotencyKey({ instance, workflow, execution, node, run, item }: Place): string {
  const place = JSON.stringify([instance, workflow, execution, node, run, item]);
  return `n8n-${createHash('sha256').update(place).digest('hex')}`;
}
