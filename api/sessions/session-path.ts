import { z } from 'zod';
import { SessionRef } from '../../domain/ids.ts';

export const SessionPath = z.object({ id: SessionRef.meta({ description: "The session's id or name." }) });
/** The parameter of a path of the specification that begins with the session. */
export const SessionFirst = z.object({ session: SessionRef.meta({ description: "The session's id or name." }) });
/** The query of a route that is about the key's session, or about the tenant's default one. */
export const SessionQuery = z.object({ session: SessionRef.optional() });

const IGNORED = 'Taken from clients of the messaging backend, and changes nothing.';
/** Clients of the backend name them at the same path, where the engine's own answer always shows all that it has. */
export const ExpandOfBackend = z.object({
  expand: z.string().or(z.array(z.string())).optional().meta({ description: IGNORED }),
});
export const ListOfBackend = ExpandOfBackend.extend({ all: z.string().optional().meta({ description: IGNORED }) });
