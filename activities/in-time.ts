/** What the work comes to, if it does so in time; throws otherwise, and the work's own end is nobody's any more. */
export async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It was not done within ${withinMs} ms.`)), withinMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
