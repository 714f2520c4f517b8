/** The tokens, time and money that one request took. */
export interface ModelUse {
  /** The model that answered. A model that is no longer configured is replaced by the first configured model. */
  model: string;
  inputTokens: number | null;
  outputTokens: number | null;
  /** Null when the model has no price, or did not tell what it used. */
  costMicros: number | null;
  ms: number;
}
