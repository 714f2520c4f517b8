import { z } from 'zod';
import { explained } from '../explained.ts';

/** The kinds of backend reports that the engine does not know. */
export const UNKNOWN_KIND_TEXTS = {
  chat: 'A chat with an address of an unknown sort. Its messages are in no inbox.',
  event: 'An event of an unknown name. It changes nothing.',
  content: 'A message with unknown content. The inbox shows it, with its words if it has any.',
} as const;
export const UNKNOWN_KINDS = [
  'chat',
  'event',
  'content',
] as const satisfies readonly (keyof typeof UNKNOWN_KIND_TEXTS)[];

/** The network's names are words of a program; anything else may be what somebody wrote. */
const NAME = /^[\w.@-]{1,64}$/;

export interface Unknown {
  kind: (typeof UNKNOWN_KINDS)[number];
  name: string;
}

/** Names something that the engine does not know. */
export function unknownOf(kind: Unknown['kind'], name: string): Unknown {
  return { kind, name: NAME.test(name) ? name : 'unnamed' };
}

export const UnknownReportView = z
  .object({
    kind: z.enum(UNKNOWN_KINDS).meta({ description: explained('The unknown report.', UNKNOWN_KIND_TEXTS) }),
    name: z.string().meta({ description: 'Its name at the network.' }),
    times: z.int().meta({ description: 'How often it was reported.' }),
    firstAt: z.iso.datetime().meta({ description: 'When it was reported first.' }),
    lastAt: z.iso.datetime().meta({ description: 'When it was reported last.' }),
    sessionName: z.string().nullable().meta({ description: 'The session of the last report. Null if not known.' }),
    raw: z
      .string()
      .nullable()
      .meta({
        description:
          'The last report as the backend sent it, cut at 16,384 characters. Null if it is not kept, or only a read of the ' +
          'history showed it.',
      }),
  })
  .meta({ id: 'UnknownReport', description: 'A kind of report that the engine does not know.' });
