/** One metric as `/metrics` shows it. The code that measures, the guide and the guards read it from the one table. */
export interface Metric {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  /** The labels, each with its values. No value may be unbounded: no number, no id but those that operators choose. */
  labels: Readonly<Record<string, string>>;
  /** The upper bounds of a histogram's buckets, in the metric's unit. */
  buckets?: readonly number[];
}

export const NO_LABELS = {} as const;
