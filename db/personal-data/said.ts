/** What an erasure does with a table of the database. */
export type Said =
  /** The rows of the person are deleted whole, by these functions. */
  | { rows: 'erased'; by: string }
  /** Rows stay. For each column that could hold words: how it is erased, or why it holds nothing of the person. */
  | { rows: 'stay'; columns: Readonly<Record<string, string>> };

/** No id tells of a person once the rows are gone to which it leads. */
const ID = 'an id, or a word of the engine';

/** The columns of a table that holds nothing of persons, and why. */
export const none = (because: string, ...columns: string[]): Said => ({
  rows: 'stay',
  columns: Object.fromEntries(columns.map((column) => [column, because])),
});

/** Columns that hold ids, or words of the engine. */
export const ids = (...columns: string[]): Record<string, string> =>
  Object.fromEntries(columns.map((column) => [column, ID]));
