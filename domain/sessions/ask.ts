import { z } from 'zod';
import { SessionRef } from '../ids.ts';
import { Target } from '../scope.ts';
import { SESSION_ACTS } from './wish.ts';

export const SessionAct = z.enum(SESSION_ACTS);
export type SessionAct = z.infer<typeof SessionAct>;

const fields = {
  ...Target,
  actor: z.string().min(1).max(128).optional().meta({
    description: 'The person who requests it: a name or an id, 1 to 128 characters. It is in the audit log.',
  }),
  reason: z.string().min(1).max(500).optional().meta({
    description: 'The reason, 1 to 500 characters. It is in the audit.',
  }),
};

export const AskSession = z
  .strictObject(fields)
  .meta({ id: 'AskSession', description: 'The person who requests the action, and the reason.' });

export const AskNamedSession = z
  .strictObject({ ...fields, session: SessionRef.optional() })
  .meta({ id: 'AskNamedSession', description: 'The session that the action is for, who requests it, and why.' });

/** A request for an act on a session, with the caller who made it. */
export interface Asked {
  act: SessionAct;
  by: { keyId: string; actor?: string | undefined; reason?: string | undefined };
  /** Aborted when the client leaves. */
  signal: AbortSignal;
}
