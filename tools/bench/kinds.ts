/** Kinds of processes whose CPU time is counted. `engine` is one process that is both API and worker. */
export const KINDS = ['engine', 'api', 'worker', 'postgres', 'temporal', 'sandbox'] as const;
export type Kind = (typeof KINDS)[number];

/** Milliseconds of CPU by kind; a kind that was not counted is missing. */
export type CpuMs = Partial<Record<Kind, number>>;

export const NAME_OF_KIND: Record<Kind, string> = {
  engine: 'engine',
  api: 'API',
  worker: 'worker',
  postgres: 'PostgreSQL',
  temporal: 'Temporal',
  sandbox: 'sandbox',
};
