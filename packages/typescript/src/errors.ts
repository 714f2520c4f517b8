import type { DeliveryStatus, Problem } from './generated/types.ts';

/**
 * Why a call failed: the engine's own codes, and those of calls that it has not answered. `ended` is of a stream that
 * somebody ended.
 */
export type EngineErrorCode = Problem['code'] | 'unreachable' | 'timed_out' | 'unexpected_answer' | 'ended';

interface Facts extends Partial<Omit<Problem, 'code' | 'detail'>> {
  idempotencyKey?: string | undefined;
  retryAfterMs?: number | undefined;
  cause?: unknown;
}

/** A call that failed. Its message is for a person; branch on `code`. */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: EngineErrorCode;
  /** The HTTP status; 0 where there was no answer. */
  readonly status: number;
  readonly title: string;
  /** The address of a page that explains the code. */
  readonly type: string | undefined;
  /** The fields that are wrong. */
  readonly errors: readonly { pointer: string; message: string }[];
  readonly reason: string | undefined;
  /** For the operator: the engine's log has it. */
  readonly requestId: string | undefined;
  /** The key of the call: every repeat with it takes effect only once. */
  readonly idempotencyKey: string | undefined;
  /** The pause that the engine asks for. */
  readonly retryAfterMs: number | undefined;
  /** Counts the requests of the call. */
  attempts = 1;

  constructor(code: EngineErrorCode, detail: string, facts: Facts = {}) {
    super(detail, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.code = code;
    this.status = facts.status ?? 0;
    this.title = facts.title ?? detail;
    this.type = facts.type;
    this.errors = facts.errors ?? [];
    this.reason = facts.reason;
    this.requestId = facts.requestId;
    this.idempotencyKey = facts.idempotencyKey;
    this.retryAfterMs = facts.retryAfterMs;
  }

  get detail(): string {
    return this.message;
  }
}

/** A message has ended before it came as far as somebody waited for, or takes longer than they would wait. */
export class NotReached extends Error {
  override readonly name = 'NotReached';
  /** The progress of the delivery. */
  readonly delivery: DeliveryStatus;

  constructor(wanted: string, delivery: DeliveryStatus) {
    super(`The message is not ${wanted}: it is ${delivery.status}.`);
    this.delivery = delivery;
  }
}

/** A request that no engine with this secret has signed now. Answer it with 401. */
export class SignatureError extends Error {
  override readonly name = 'SignatureError';
}
