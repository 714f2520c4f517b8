const PATIENCE_MS = 10_000;
const PAUSE_MS = 10;

/** Asks again until the answer is there; fails with what was waited for. */
export async function eventually<T>(what: string, ask: () => T | undefined | false | Promise<T | undefined | false>) {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (Date.now() > deadline) throw new Error(`waited ${PATIENCE_MS} ms in vain for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}
