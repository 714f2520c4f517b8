/** The keys of a JSON object, or of each object of a list. `true` is a value that a function takes whole. */
export interface JsonKeys {
  /** `optional` is a key that only some callers send. */
  readonly [key: string]: true | 'optional' | JsonKeys;
}

type KeyOf<Value> = Value extends unknown ? keyof Value : never;
type Item<Value> = Value extends readonly (infer Each)[] ? Each : Value;
type At<Value, Key> = Value extends unknown ? (Key extends keyof Value ? NonNullable<Value[Key]> : never) : never;
type Demanded<Keys> = { [Key in keyof Keys]: Keys[Key] extends 'optional' ? never : Key }[keyof Keys];

/** The keys that the value has and the function does not read, and those that it reads and the value has not. */
type Difference<Value, Keys> =
  | Exclude<KeyOf<Value>, keyof Keys>
  | Exclude<Demanded<Keys>, KeyOf<Value>>
  | {
      [Key in keyof Keys]: Keys[Key] extends JsonKeys ? Difference<Item<At<Value, Key>>, Keys[Key]> : never;
    }[keyof Keys];

type Fitting<Value, Keys> = [Difference<Item<Value>, Keys>] extends [never]
  ? unknown
  : { differs: Difference<Item<Value>, Keys> };

/** JSON that functions get. */
export interface JsonParameter {
  /** Each function and its parameter, such as `accept_send.p`. */
  parameters: readonly string[];
  keys: JsonKeys;
}

const declared: JsonParameter[] = [];

/** All parameters that the loaded modules have declared. */
export const jsonParameters: readonly JsonParameter[] = declared;

/**
 * Declares the keys of a JSON parameter of SQL functions, and answers what writes it. The compiler refuses a value with
 * other keys; `test/db/engine/json-parameters.test.ts` refuses keys that the function reads in another way. PostgreSQL
 * itself reads a missing key as null and never misses an unread one.
 */
export function jsonParameter<const Keys extends JsonKeys>(keys: Keys, ...parameters: `${string}.${string}`[]) {
  declared.push({ parameters, keys });
  return <Value>(value: Value & Fitting<Value, Keys>): string => JSON.stringify(value);
}
