/** A network that knows nobody's phone behind a hidden id. */
export const nobodyKnows = (): Promise<null> => Promise.resolve(null);
