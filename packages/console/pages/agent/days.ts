export interface Day {
  day: string;
  replies: number;
  tokens: number;
  costMicros: number;
}

const DAY_MS = 86_400_000;

/** Every one of the last days (UTC), also those on which nothing was used. */
export const daysOf = (used: readonly Day[], count: number, now: Date): Day[] => {
  const byDay = new Map(used.map((day) => [day.day, day]));
  return Array.from({ length: count }, (_, place) => {
    const day = new Date(now.getTime() - (count - 1 - place) * DAY_MS).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, replies: 0, tokens: 0, costMicros: 0 };
  });
};
