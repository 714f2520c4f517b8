import type { Message } from '../../../typescript/src/index.ts';

const MINUTE_MS = 60_000;
/** So long the network lets a text be edited, and a message be deleted for everyone; later the engine says why not. */
const EDIT_WITHIN_MS = 15 * MINUTE_MS;
const DELETE_WITHIN_MS = 60 * 60 * MINUTE_MS;

const ON_NETWORK: readonly Message['status'][] = ['sent', 'delivered', 'read'];

const isOwn = ({ fromMe, status, revokedAt }: Message): boolean =>
  fromMe && revokedAt === undefined && ON_NETWORK.includes(status);

const isYoung = ({ timestamp }: Message, ageMs: number, now: number): boolean => now - timestamp * 1_000 < ageMs;

export const mayEdit = (message: Message, now = Date.now()): boolean =>
  isOwn(message) && message.kind === 'text' && isYoung(message, EDIT_WITHIN_MS, now);

export const mayDelete = (message: Message, now = Date.now()): boolean =>
  isOwn(message) && isYoung(message, DELETE_WITHIN_MS, now);
