/** The bounds of definitions and of runs. */
export const FLOW_BOUNDS = {
  sourceBytes: 1_048_576,
  /** A parser of YAML takes ten times the CPU of one of JSON. */
  yamlBytes: 65_536,
  aliases: 100,
  tasks: 1_000,
  depth: 20,
  /** The characters of the parameters as JSON: an agency's list of definitions has those of all its workflows. */
  paramsLength: 32_768,
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
  /** Requests of a run to other systems, which are `http`, `callWebhook` and `label`. */
  calls: 100,
  /** The same requests of all runs of a tenant in an hour of the clock. */
  callsOfTenant: 10_000,
  /** Messages that a run sends to its contact. */
  messages: 100,
  /** Tasks that one walk passes between two things that happen outside. Then its state is stored. */
  silentTasks: 50,
  /** A walk that takes this long stops after the task at hand, and its state is stored. */
  walkMs: 10_000,
  /** The time that the expressions of one walk may take in all. */
  evaluationMs: 5_000,
} as const;
