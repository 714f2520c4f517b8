/** The kinds of processes that share the work of an engine in production. */
export const KINDS = ['api', 'worker', 'postgres', 'temporal'] as const;
export type Kind = (typeof KINDS)[number];
