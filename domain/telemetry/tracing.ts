/*
 * Traces work without the tracing library, which loads only if an operator has enabled traces
 * (`bin/telemetry/tracing.ts`). Until then each function only runs its work.
 */

export interface SpanSpec {
  /** Never a path or an id: the names of spans are few, and nothing personal may stand in a trace. */
  name: string;
  kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** The `traceparent` of what caused it; left out, what runs now is its cause. */
  parent?: string | undefined;
  attributes?: Readonly<Record<string, string | number>>;
}

/** A span while its work goes on. */
export interface Span {
  rename(name: string): void;
  set(name: string, value: string | number): void;
  /** Marks the span as failed, by a code or a class and never by words. */
  fail(code: string): void;
}

/** A span that somebody else has timed and named, such as that of a workflow, which must not look at a clock. */
export interface EndedSpan extends SpanSpec {
  parent: string;
  spanId: string;
  startMs: number;
  endMs: number;
  failed: boolean;
}

export interface Tracer {
  run<T>(span: SpanSpec, work: (span: Span) => Promise<T>): Promise<T>;
  /** The `traceparent` of what runs now. */
  current(): string | undefined;
  tell(span: EndedSpan): void;
}

const NO_SPAN: Span = { rename: () => undefined, set: () => undefined, fail: () => undefined };

let tracer: Tracer | undefined;

/** Makes the tracer of this process; undefined switches traces off again. */
export function useTracer(used: Tracer | undefined): void {
  tracer = used;
}

/** True where traces are on. Ask before work that only a trace needs. */
export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Does the work in a span of its own, which begins a trace where there is none. */
export function inSpan<T>(span: SpanSpec, work: (span: Span) => Promise<T>): Promise<T> {
  return tracer === undefined ? work(NO_SPAN) : tracer.run(span, work);
}

/** Does the work in a span if its cause is traced, and begins no trace. */
export function inTracedSpan<T>(span: SpanSpec, work: (span: Span) => Promise<T>): Promise<T> {
  if (tracer === undefined || (span.parent ?? tracer.current()) === undefined) return work(NO_SPAN);
  return tracer.run(span, work);
}

/** The `traceparent` of what runs now; undefined where it is not traced. */
export function currentTrace(): string | undefined {
  return tracer?.current();
}

export function tellSpan(span: EndedSpan): void {
  tracer?.tell(span);
}

/** The name of the header, on HTTP requests and on what Temporal carries (W3C Trace Context). */
export const TRACEPARENT = 'traceparent';

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

/** The parts of a `traceparent`; undefined for anything else. */
export function parseTraceparent(
  value: string | undefined,
): { traceId: string; spanId: string; flags: string } | undefined {
  const [, traceId, spanId, flags] = FORM.exec(value ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  return { traceId, spanId, flags };
}
