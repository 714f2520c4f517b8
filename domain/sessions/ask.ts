import { z } from 'zod';
import { SessionRef } from '../ids.ts';
import { Target } from '../scope.ts';
import { SESSION_ACTS } from './wish.ts';

export const SessionAct = z.enum(SESSION_ACTS);
export type SessionAct = z.infer<typeof SessionAct>;

const fields = {
  ...Target,
  actor: z.string().min(1).max(128).optional().meta({
    description: "Who asks: a name or an id of the dashboard's own, in 1 to 128 characters. It is in the audit.",
  }),
  reason: z.string().min(1).max(500).optional().meta({
    description: 'Why, in 1 to 500 characters. It is in the audit.',
  }),
};

export const AskSession = z
  .strictObject(fields)
  .meta({ id: 'AskSession', description: 'Who asks it of the session, and why.' });

export const AskNamedSession = z
  .strictObject({ ...fields, session: SessionRef.optional() })
  .meta({ id: 'AskNamedSession', description: 'Of which session it is asked, who asks it, and why.' });
