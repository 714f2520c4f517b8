/** Returns the work's result if it comes in time, else throws; how the work ends after that is ignored. */
export async function inTime<T>(work: Promise<T>, withinMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`It was not done within ${withinMs} ms.`)), withinMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}
