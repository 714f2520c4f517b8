/** The number of messages that came after the newest one that was seen. Messages are newest first. */
export const newerThan = (ids: readonly string[], seen: string | undefined): number => {
  if (seen === undefined) return 0;
  const at = ids.indexOf(seen);
  // A message that is gone leaves no place to count from.
  return Math.max(0, at);
};
