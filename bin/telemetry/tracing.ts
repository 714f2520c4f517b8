import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { diag, DiagLogLevel, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { Context, Span as OtelSpan, SpanContext } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  RandomIdGenerator,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../../domain/log.ts';
import { parseTraceparent, useTracer } from '../../domain/telemetry/tracing.ts';
import type { EndedSpan, Span, SpanSpec, Tracer } from '../../domain/telemetry/tracing.ts';

/** Imported only where traces are on, because OpenTelemetry's libraries take time and memory. */

export interface TracingOptions {
  /** The base address of an OTLP receiver. */
  endpoint: string;
  /** The part of the traces that begin here which are kept, from 0 to 1. */
  ratio: number;
  service: string;
  version: string;
  log: Pick<Log, 'warn'>;
}

const STOP_WITHIN_MS = 2_000;
const LOST = 'traces could not be sent and are lost';

const KINDS: Readonly<Record<SpanSpec['kind'], SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
};

/** Gives the next span an id that is known already: the activities of a workflow run name it before it has ended. */
class ChosenIds extends RandomIdGenerator {
  next: string | undefined;
  override generateSpanId = (): string => {
    const chosen = this.next ?? random.generateSpanId();
    this.next = undefined;
    return chosen;
  };
}
const random = new RandomIdGenerator();

/** Switches traces on for this process. The answer sends what is left and switches them off. */
export function startTracing({ endpoint, ratio, service, version, log }: TracingOptions): () => Promise<void> {
  const tell = (words: string): void => log.warn({ words }, LOST);
  const nothing = (): void => undefined;
  const logger = { error: tell, warn: tell, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const ids = new ChosenIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` }),
        scheduledDelayMillis: 1_000,
      }),
    ],
  });
  const otel = provider.getTracer('engine');
  const running = new AsyncLocalStorage<Context>();
  const contextOf = (parent: string | undefined): Context =>
    parent === undefined ? (running.getStore() ?? ROOT_CONTEXT) : remote(parent);

  const tracer: Tracer = {
    async run({ name, kind, parent, attributes = {} }, work) {
      const context = contextOf(parent);
      const span = otel.startSpan(name, { kind: KINDS[kind], attributes }, context);
      try {
        return await running.run(trace.setSpan(context, span), () => work(handleOf(span)));
      } catch (error) {
        failed(span, error instanceof Error ? error.name : 'Error');
        throw error;
      } finally {
        span.end();
      }
    },
    current() {
      const context = running.getStore();
      const span = context && trace.getSpanContext(context);
      return span && written(span);
    },
    tell({ name, kind, parent, attributes = {}, spanId, startMs, endMs, failed: hasFailed }: EndedSpan) {
      ids.next = spanId;
      const span = otel.startSpan(name, { kind: KINDS[kind], attributes, startTime: startMs }, remote(parent));
      if (hasFailed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end(endMs);
    },
  };
  useTracer(tracer);
  return async () => {
    useTracer(undefined);
    // A receiver that is away must not hold up the stop of the process; its spans are lost, as they are while it runs.
    const sent = provider.shutdown().catch((error: unknown) => log.warn({ err: error }, LOST));
    await Promise.race([sent, pause(STOP_WITHIN_MS, undefined, { ref: false })]);
  };
}

function handleOf(span: OtelSpan): Span {
  return {
    rename: (name) => void span.updateName(name),
    set: (name, value) => void span.setAttribute(name, value),
    fail: (code) => failed(span, code),
  };
}

function failed(span: OtelSpan, code: string): void {
  span.setAttribute('error.type', code);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Returns the remote cause of a trace. An unreadable one is ignored, and a new trace begins. */
function remote(traceparent: string): Context {
  const parsed = parseTraceparent(traceparent);
  if (parsed === undefined) return ROOT_CONTEXT;
  const { traceId, spanId, flags } = parsed;
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16),
    isRemote: true,
  });
}

function written({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}
