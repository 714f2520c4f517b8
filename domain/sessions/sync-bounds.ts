/** The most that may be asked for. */
export const MAX_MESSAGES_PER_CHAT = 1_000_000;
export const MAX_MESSAGES_PER_SESSION = 20_000_000;
export const MAX_DAYS = 36_500;
