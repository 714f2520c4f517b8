/** The tokens, time and money that one request took. */
export interface ModelUse {
  /** Which one answered: a model that is no longer configured gives way to the first that is. */
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Null when the model has no price, or did not tell what it used. */
  costMicros: number | null;
  ms: number;
}
