import { z } from 'zod';
import { httpUrl, port, setting } from './forms.ts';

/** The settings of what the engine tells about itself. */
export const telemetrySettings = {
  metricsHost: setting(
    'METRICS_HOST',
    'The address that METRICS_PORT listens on. `/metrics` asks for no key, so let only Prometheus reach it.',
    z.string().min(1).default('127.0.0.1'),
  ),
  metricsPort: setting(
    'METRICS_PORT',
    'The port of `/metrics`, which is never PORT. If not set, an API and `npm start` take 9464 if it is free, and a worker serves none.',
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
