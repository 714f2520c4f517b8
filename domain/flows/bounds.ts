/** The bounds of definitions and of runs. */
export const FLOW_BOUNDS = {
  sourceBytes: 1_048_576,
  /** A parser of YAML takes ten times the CPU of one of JSON. */
  yamlBytes: 65_536,
  aliases: 100,
  tasks: 1_000,
  depth: 20,
  expressionLength: 2_000,
  /** The characters of all expressions of a definition: their parser takes most of a validation's CPU. */
  expressionsLength: 131_072,
  waitMs: 90 * 86_400_000,
  /** Tasks that a run takes. */
  steps: 1_000,
  /** Turns of all loops of a run. */
  turns: 1_000,
  /** The data that a run keeps between tasks. */
  dataBytes: 262_144,
  /** HTTP requests of a run. */
  httpCalls: 100,
} as const;
