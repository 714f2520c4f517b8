import type { ExecutionReason } from '../../../domain/automations/execution.ts';

/** A stored workflow ended as failed, at a task where that is known. */
export class FlowFailed extends Error {
  override readonly name = 'FlowFailed';
  readonly reason: ExecutionReason;
  readonly path: string | null;

  constructor(message: string, { reason, path }: { reason: ExecutionReason; path: string | null }) {
    super(message);
    this.reason = reason;
    this.path = path;
  }
}
