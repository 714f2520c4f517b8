import { z } from 'zod';
import { httpUrl, port, setting } from './config-forms.ts';

/** The settings of what the engine tells about itself. */
export const telemetrySettings = {
  metricsPort: setting(
    'METRICS_PORT',
    'The port at HOST on which a worker serves `/metrics` and `/livez`. If not set, it serves none. An API serves its own at PORT.',
    port.min(1).optional(),
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'The base address of an OTLP receiver (HTTP) that gets the traces. If not set, nothing is traced (docs/metrics.md).',
    httpUrl.optional(),
  ),
  tracesRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    'The kept share of the traces that begin in the engine, from 0 to 1. A client that names a trace decides that itself.',
    z.coerce.number().min(0).max(1).default(1),
  ),
};
