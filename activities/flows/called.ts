/** A step of a stored workflow that reaches another system; its input is in rows alone. */
export interface Called {
  executionId: string;
  number: number;
  path: string;
}
