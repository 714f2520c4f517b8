import { z } from 'zod';
import { ContactId, SessionId } from './ids.ts';
import { chatKind, phoneOfChatId } from './network/chat-id.ts';
import { Target } from './scope.ts';

const fields = {
  contactId: ContactId,
  chatId: z.string().meta({
    description: 'The address at which messages reach the person: the phone number if it is known.',
  }),
  phone: z.string().nullable().meta({
    description: 'The phone number, in digits with its country code. Null if only a hidden id is known.',
  }),
  lid: z.string().nullable().meta({ description: 'The hidden id. Null if none is known.' }),
  name: z.string().nullable().meta({ description: "The name in the account's address book. Null if it has none." }),
  pushName: z
    .string()
    .nullable()
    .meta({ description: 'The name that the person shows to others. Null until it is known.' }),
  isBlocked: z.boolean().meta({ description: 'Whether the account has blocked the person.' }),
  isOptedOut: z.boolean().meta({
    description:
      'Whether the person wants no more messages. If true, only messages that a request marks as transactional are ' +
      'sent.',
  }),
  isMyContact: z.boolean().meta({ description: "Whether the person is in the account's address book." }),
  aliases: z.array(z.string()).meta({
    description:
      'Every address under which the network has shown the person: phones (`…@c.us`) and hidden ids (`…@lid`).',
  }),
};

const picture = z
  .url()
  .nullable()
  .meta({
    description:
      "The address of the person's picture, which needs no key. The address is permanent and shows the " +
      'current picture.\n\nNull until the picture is fetched, and for a person who shows none.',
  });

/** A person as one account knows them. */
export const Contact = z
  .object({ ...fields, picture })
  .meta({ id: 'Contact', description: 'A person as one account knows them.' });
export type Contact = z.infer<typeof Contact>;

/** The facts of a contact that can change. */
export const ContactChange = z.enum(['added', 'name', 'pushName', 'isMyContact', 'isBlocked', 'isOptedOut', 'picture']);
export type ContactChange = z.infer<typeof ContactChange>;

export const ContactEventPayload = z.object({
  sessionId: SessionId,
  ...fields,
  picture,
  changed: z.array(ContactChange).meta({
    description: 'The changes: the names of fields above, `picture`, or `added` for a new contact.',
  }),
  timestamp: z.int().meta({ description: 'When the engine learned it, in Unix seconds.' }),
});

/** The phone and the hidden id of a person, as far as the addresses tell. */
export function identityOf(chatId: string, aliases: readonly string[]): { phone: string | null; lid: string | null } {
  const all = [chatId, ...aliases];
  const phone = all.map(phoneOfChatId).find((digits) => digits !== null) ?? null;
  return { phone, lid: all.find((address) => chatKind(address) === 'lid') ?? null };
}

export const BlockContact = z
  .strictObject({
    ...Target,
    chatId: z
      .string()
      .min(1)
      .max(128)
      .meta({
        description: 'The person: a chat id, a phone number with its country code, a hidden id or a contactId.',
        examples: ['4915112345678@c.us'],
      }),
  })
  .meta({ id: 'BlockContact', description: 'The person to block or unblock.' });

export const ContactBlocked = z
  .object({
    success: z.literal(true).meta({ description: 'The network has accepted it.' }),
    contact: Contact,
  })
  .meta({ id: 'ContactBlocked', description: 'The person as the account has them now.' });

export const ContactSync = z
  .object({
    success: z.literal(true).meta({ description: 'The reading is accepted, and survives a stop of the engine.' }),
    sessionId: SessionId,
    workflowId: z
      .string()
      .meta({ description: 'The execution in Temporal that does the reading and shows its progress.' }),
    lastSyncedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the list was last read to its end before this. Null if it never was.' }),
  })
  .meta({ id: 'ContactSync', description: 'The requested reading of the contact list.' });
