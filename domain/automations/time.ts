/** Hours in milliseconds, as authors of automations write them. */
export const hours = (count: number): number => count * 3_600_000;
