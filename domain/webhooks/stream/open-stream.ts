import { z } from 'zod';
import { EventStreamId } from '../../ids.ts';

export const EventStreamView = z
  .object({
    id: EventStreamId,
    keyId: z.string().nullable().meta({
      description:
        'The key that opened it, or that created the link whose login opened it. Null if that is the master key.',
    }),
    linkId: z.string().nullable().meta({ description: 'The console link whose login opened it. Null without a link.' }),
    loginId: z
      .string()
      .nullable()
      .meta({ description: 'The console login that opened it, with which it ends. Null if no login did.' }),
    tenantId: z.string().nullable().meta({ description: 'The only tenant that it shows. Null for all of the agency.' }),
    sessionId: z.string().nullable().meta({ description: 'The only session that it shows. Null for all sessions.' }),
    openedAt: z.iso.datetime().meta({ description: 'When it was opened.' }),
  })
  .meta({ id: 'EventStream', description: 'An event stream that a reader has open.' });
