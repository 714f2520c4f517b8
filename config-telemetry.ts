import { z } from 'zod';
import { httpUrl, port, setting } from './config-forms.ts';

/** The settings of what the engine tells about itself. */
export const telemetrySettings = {
  metricsPort: setting(
    'METRICS_PORT',
    'The port at HOST on which a worker shows `/metrics` and `/livez`; none when left out. An API shows its own at PORT.',
    port.min(1).optional(),
  ),
  otlpEndpoint: setting(
    'OTEL_EXPORTER_OTLP_ENDPOINT',
    'Where traces go: the base address of an OTLP receiver (HTTP). Left out, nothing is traced (docs/metrics.md).',
    httpUrl.optional(),
  ),
  tracesRatio: setting(
    'OTEL_TRACES_SAMPLER_ARG',
    'The part of the traces that is kept of those that begin in the engine, from 0 to 1. A client that names a trace decides itself.',
    z.coerce.number().min(0).max(1).default(1),
  ),
};
