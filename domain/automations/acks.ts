/** How far the network tells that a message has come. */
export const LEVELS = { sent: 1, delivered: 2, read: 3, played: 4 } as const;
