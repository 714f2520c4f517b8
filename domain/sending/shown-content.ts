import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId } from '../ids.ts';
import {
  CALL_STATUS_TEXTS,
  CALL_STATUSES,
  CONTENT_STATE_TEXTS,
  CONTENT_STATES,
  ContactCard,
  Location,
  NetworkContent,
  NOTICE_TEXTS,
  NOTICE_TYPES,
} from '../network/message-content.ts';
import type { Poll } from '../network/message-content.ts';

/** A person who reacted or voted, as dashboards see it. */
export const By = z.object({
  fromMe: z.boolean().meta({ description: 'True if the account itself did it.' }),
  from: z
    .string()
    .nullable()
    .meta({
      description:
        'The other person who did it: the digits of a phone number, otherwise a chat id. Null for the ' +
        'account, or if unknown.',
    }),
});

const Vote = By.extend({
  contactId: ContactId.nullable().meta({ description: 'The contact who voted. Null if that is not known.' }),
  options: z
    .array(z.string())
    .nullable()
    .meta({ description: 'The chosen options. Null if the backend could not read the vote.' }),
  at: z.iso.datetime().meta({ description: 'When it was chosen.' }),
});
type Vote = z.infer<typeof Vote>;

/** The known votes on a poll. */
export interface Votes {
  votes: readonly Vote[];
  /** Counts the votes beyond the list. */
  more: number;
  /** Votes by option. Null if the list is complete. */
  tally: ReadonlyMap<string, number> | null;
}
const NO_VOTES: Votes = { votes: [], more: 0, tally: null };

const PollView = z
  .object({
    name: z.string().meta({ description: 'The question.' }),
    options: z
      .array(
        z.object({
          text: z.string().meta({ description: 'The text of the option.' }),
          votes: z.int().meta({ description: 'How many people have chosen it, as far as is known.' }),
        }),
      )
      .meta({ description: 'The options in their order.' }),
    multipleAnswers: z.boolean().meta({ description: 'True if more than one option may be chosen.' }),
    votes: z.array(Vote).meta({ description: 'The latest vote of each voter, up to the newest 100.' }),
    moreVotes: z
      .int()
      .min(1)
      .exactOptional()
      .meta({
        description:
          'How many more people have voted than are listed; the counts of the options include them. Missing if all ' +
          'are listed.',
      }),
  })
  .meta({ id: 'Poll', description: 'A poll with what is known of its votes.' });
export type PollView = z.infer<typeof PollView>;

const CallView = z
  .object({
    status: z.enum(CALL_STATUSES).meta({ description: explained('The status of the call.', CALL_STATUS_TEXTS) }),
    isVideo: z.boolean().meta({ description: 'True for a video call.' }),
    isGroup: z.boolean().meta({ description: 'True for a call to a group.' }),
  })
  .meta({ id: 'Call', description: 'A call that reached the account.' });
export const callFields = CallView.shape;

const NoticeView = z
  .object({
    type: z.enum(NOTICE_TYPES).meta({ description: explained('The subject of the notice.', NOTICE_TEXTS) }),
    group: z
      .object({
        changed: z.array(z.string()).meta({ description: 'The change, as `group.updated` names it.' }),
        name: z.string().nullable().meta({ description: "The group's name at that time. Null if it was not known." }),
        participants: z
          .array(
            z.object({
              chatId: z.string().meta({ description: 'The address under which the network shows them in the group.' }),
              change: z.string().meta({ description: 'The change, as `group.updated` names it.' }),
            }),
          )
          .meta({ description: 'The others who joined or left, or whose role changed.' }),
      })
      .exactOptional()
      .meta({ description: 'The change in the group. Missing for other notices.' }),
  })
  .meta({ id: 'Notice', description: 'A line that the network itself put into a chat.' });

const onlyFor = (kind: string) => `Missing if \`kind\` is not \`${kind}\`.`;

/** Fields of a message that are there only where it holds what they show. */
export const contentFields = {
  location: Location.optional().meta({ description: `The place. ${onlyFor('location')}` }),
  contacts: z
    .array(ContactCard)
    .optional()
    .meta({ description: `The contact cards. ${onlyFor('contact')}` }),
  poll: PollView.optional().meta({ description: `The poll. ${onlyFor('poll')}` }),
  call: CallView.optional().meta({ description: `The call. ${onlyFor('call')}` }),
  notice: NoticeView.optional().meta({ description: `The notice. ${onlyFor('notice')}` }),
  viewOnce: z.literal(true).optional().meta({
    description:
      'True if the sender wants the file to be seen once: it is not kept, and the phone shows it. Missing otherwise.',
  }),
  forwarded: z.literal(true).optional().meta({ description: 'True if it was forwarded. Missing otherwise.' }),
  ephemeral: z.literal(true).optional().meta({
    description: 'True if it disappears from the phones after a time. The engine keeps it.\n\nMissing otherwise.',
  }),
  broadcast: z.literal(true).optional().meta({
    description: 'True if it was sent to a broadcast list. Missing otherwise.',
  }),
  mentions: z
    .array(z.string())
    .optional()
    .meta({ description: 'Chat ids of the people that it mentions with @. Missing if it mentions nobody.' }),
  contentState: z
    .enum(CONTENT_STATES)
    .optional()
    .meta({ description: explained('Missing if the content is there.', CONTENT_STATE_TEXTS) }),
  unsupported: z.string().optional().meta({
    description:
      "The network's own name for content that the engine cannot show, for the kind `other`. Missing otherwise.",
  }),
};
export type ContentFields = Partial<{ [Field in keyof typeof contentFields]: z.infer<(typeof contentFields)[Field]> }>;

/** Shows what a message holds. Fields that are not there stay away, and so does what a row holds for sending alone. */
export function shownContent(content: object | null | undefined, votes: Votes = NO_VOTES): ContentFields {
  const held = content ? NetworkContent.safeParse(content).data : undefined;
  if (held === undefined) return {};
  const { poll, ...rest } = held;
  return { ...rest, ...(poll === undefined ? {} : { poll: pollWith(poll, votes) }) };
}

/** Counts the votes: options that nobody offered are counted nowhere. */
function pollWith({ name, options, multipleAnswers }: Poll, { votes, more, tally }: Votes): PollView {
  const chosen = votes.flatMap((vote) => [...new Set(vote.options ?? [])]);
  const chosenBy = (text: string): number =>
    tally ? (tally.get(text) ?? 0) : chosen.filter((option) => option === text).length;
  return {
    name,
    options: options.map((text) => ({ text, votes: chosenBy(text) })),
    multipleAnswers,
    votes: [...votes],
    ...(more > 0 ? { moreVotes: more } : {}),
  };
}
