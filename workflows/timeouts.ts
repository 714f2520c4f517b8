/**
 * The time for a local activity, which only writes rows and waits for a slot. On a busy machine it is late, and one that
 * is ended is done again from the beginning. A process that dies is noticed by the workflow task's own timeout.
 */
export const LOCAL_WITHIN = '1 m';
