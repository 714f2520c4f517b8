/** Where a part of the engine says what happens: named fields, and a sentence that holds nobody's data. */
export interface Log {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
