import { z } from 'zod';
import { SessionId } from './ids.ts';
import { Target } from './scope.ts';

export const MAX_PHONE_LENGTH = 40;

export const AskPairingCode = z
  .strictObject({
    ...Target,
    phone: z
      .string()
      .min(1)
      .max(MAX_PHONE_LENGTH)
      .meta({
        description:
          'The number of the phone to connect, as people write it. Without a country code, it is read as a number ' +
          "of the tenant's country.",
      }),
  })
  .meta({ id: 'AskPairingCode', description: 'The phone to connect.' });

export const PairingCode = z
  .object({
    sessionId: SessionId,
    code: z
      .string()
      .min(1)
      .meta({
        description: 'The code to type on the phone, under Linked devices, "Link with phone number instead".',
        examples: ['ABCD-1234'],
      }),
    phone: z.string().meta({ description: 'The number as it was understood, in digits.' }),
  })
  .meta({ id: 'PairingCode', description: 'A code that connects one phone.' });

export const MakeConnectLink = z
  .strictObject({
    ...Target,
    expiresInSeconds: z
      .int()
      .min(60)
      .max(3_600)
      .default(600)
      .meta({ description: 'How long the link works, 60 to 3,600 seconds.' }),
  })
  .meta({ id: 'MakeConnectLink', description: 'How long the link works.' });

export const ConnectLink = z
  .object({
    sessionId: SessionId,
    url: z.url().meta({
      description:
        'The address of the page. Give it only to the owner of the phone: anyone who has it can connect an account.',
    }),
    expiresAt: z.iso.datetime().meta({ description: 'When the link and the page stop working.' }),
  })
  .meta({ id: 'ConnectLink', description: 'A page that shows the QR code of one session, without a key.' });

export const ConnectLinkView = z
  .object({
    sessionId: SessionId,
    madeBy: z
      .string()
      .nullable()
      .meta({
        description:
          'The id of the key or console link that created it, with which it ends; `master` for the master key. Null if ' +
          'an earlier release created it.',
      }),
    loginId: z
      .string()
      .nullable()
      .meta({ description: 'The id of the console login that created it, with which it ends. Null if no login did.' }),
    createdAt: z.iso.datetime().meta({ description: 'When it was created.' }),
    expiresAt: z.iso.datetime().meta({ description: 'When the link and the page stop working.' }),
    openedAt: z.iso.datetime().nullable().meta({ description: 'When a browser opened it. Null before that.' }),
    connectedAt: z.iso.datetime().nullable().meta({ description: 'When it connected an account. Null before that.' }),
  })
  .meta({ id: 'ConnectLinkView', description: 'A connect link that works, without its address.' });
