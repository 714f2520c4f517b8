/** The levels of delivery that the network reports. */
export const LEVELS = { sent: 1, delivered: 2, read: 3, played: 4 } as const;
