/** Parses the body of an answer; undefined when it is no JSON. */
export function jsonOf(body: Buffer): unknown {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return value;
  } catch {
    return undefined;
  }
}
