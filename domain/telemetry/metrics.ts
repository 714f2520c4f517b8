import { OF_PROCESSES } from './of-processes.ts';
import { OF_ROWS } from './of-rows.ts';

/**
 * Every metric of the engine. `docs/reference/metrics.md` is made of it, and dashboards and alerts may name no other.
 */
export const METRICS = { ...OF_PROCESSES, ...OF_ROWS };

type Named<Type extends string> = {
  [Name in keyof typeof METRICS]: (typeof METRICS)[Name]['type'] extends Type ? Name : never;
}[keyof typeof METRICS];
export type CounterName = Named<'counter'>;
export type HistogramName = Named<'histogram'>;
export type GaugeName = Named<'gauge'>;
export type MetricName = keyof typeof METRICS;

/** A value for each label of the metric. */
export type LabelsOf<Name extends MetricName> = Readonly<Record<keyof (typeof METRICS)[Name]['labels'], string>>;
