import { z } from 'zod';
import { ContactId, SessionId } from './ids.ts';
import { chatKind, phoneOfChatId } from './network/chat-id.ts';
import { Target } from './scope.ts';

const fields = {
  contactId: ContactId,
  chatId: z.string().meta({
    description: 'The address at which messages reach the person: the phone number where it is known.',
  }),
  phone: z.string().nullable().meta({
    description: 'The phone number, in digits with its country code. Null where only a hidden id is known.',
  }),
  lid: z.string().nullable().meta({ description: 'The hidden id. Null where none is known.' }),
  name: z.string().nullable().meta({ description: "The name in the account's address book. Null where it has none." }),
  pushName: z.string().nullable().meta({ description: 'The name that the person shows to others. Null until told.' }),
  isBlocked: z.boolean().meta({ description: 'Whether the account has blocked the person.' }),
  isOptedOut: z.boolean().meta({
    description: 'Whether the person wants no more messages; then only what a request calls transactional goes out.',
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
      'Where the picture of the person is read, without a key; the address stays and shows the picture of the day. ' +
      'Null until it was fetched, and for a person who shows none.',
  });

/** A person as one account knows them. */
export const Contact = z
  .object({ ...fields, picture })
  .meta({ id: 'Contact', description: 'A person as one account knows them.' });
export type Contact = z.infer<typeof Contact>;

/** What can change of a person that an account knows. */
export const ContactChange = z.enum(['added', 'name', 'pushName', 'isMyContact', 'isBlocked', 'isOptedOut', 'picture']);
export type ContactChange = z.infer<typeof ContactChange>;

export const ContactEventPayload = z.object({
  sessionId: SessionId,
  ...fields,
  picture,
  changed: z.array(ContactChange).meta({
    description:
      'What is other than before: `added` where the account has got to know the person, `picture` where it shows another ' +
      'one, else the names of fields above.',
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
        description: 'Whom: a chat id, a phone number with its country code, a hidden id or a contactId.',
        examples: ['4915112345678@c.us'],
      }),
  })
  .meta({ id: 'BlockContact', description: 'Whom the account blocks, or lets write again.' });

export const ContactBlocked = z
  .object({
    success: z.literal(true).meta({ description: 'The network has taken it.' }),
    contact: Contact,
  })
  .meta({ id: 'ContactBlocked', description: 'The person as the account has them now.' });

export const ContactSync = z
  .object({
    success: z.literal(true).meta({ description: 'The reading is promised, and survives a stop of the engine.' }),
    sessionId: SessionId,
    workflowId: z.string().meta({ description: 'The execution in Temporal that reads, and shows how far it is.' }),
    lastSyncedAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the list was last read to its end before this. Null where it never was.' }),
  })
  .meta({ id: 'ContactSync', description: 'The reading of the list of contacts that was asked for.' });
