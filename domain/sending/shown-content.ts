import { z } from 'zod';
import { explained } from '../explained.ts';
import { ContactId } from '../ids.ts';
import {
  CALL_STATUS_TEXTS,
  CALL_STATUSES,
  ContactCard,
  Location,
  NetworkContent,
  NOTICE_TEXTS,
  NOTICE_TYPES,
} from '../network/message-content.ts';
import type { Poll } from '../network/message-content.ts';

/** Who has reacted or voted, as dashboards see it. */
export const By = z.object({
  fromMe: z.boolean().meta({ description: 'True where the account itself did it.' }),
  from: z.string().nullable().meta({
    description: 'Who else did: digits of a phone number, else a chat id. Null for the account, and where nobody says.',
  }),
});

const Vote = By.extend({
  contactId: ContactId.nullable().meta({ description: 'The contact who voted. Null where that is not known.' }),
  options: z
    .array(z.string())
    .nullable()
    .meta({ description: 'What was chosen. Null where the backend could not read the vote.' }),
  at: z.iso.datetime().meta({ description: 'When it was chosen.' }),
});
type Vote = z.infer<typeof Vote>;

/** What is known of the votes on a poll. */
export interface Votes {
  votes: readonly Vote[];
  /** How many more there are. */
  more: number;
  /** How many have chosen each option; null where all votes are there. */
  tally: ReadonlyMap<string, number> | null;
}
const NO_VOTES: Votes = { votes: [], more: 0, tally: null };

const PollView = z
  .object({
    name: z.string().meta({ description: 'What is asked.' }),
    options: z
      .array(
        z.object({
          text: z.string().meta({ description: 'What can be chosen.' }),
          votes: z.int().meta({ description: 'How many have chosen it, by what is known.' }),
        }),
      )
      .meta({ description: 'The options in their order.' }),
    multipleAnswers: z.boolean().meta({ description: 'True where more than one option may be chosen.' }),
    votes: z.array(Vote).meta({ description: 'The latest vote of each voter, the newest 100 of them.' }),
    moreVotes: z.int().min(1).exactOptional().meta({
      description:
        'How many more have voted than are listed; the options count them, too. Missing where all are listed.',
    }),
  })
  .meta({ id: 'Poll', description: 'A poll with what is known of its votes.' });
export type PollView = z.infer<typeof PollView>;

const CallView = z
  .object({
    status: z.enum(CALL_STATUSES).meta({ description: explained('How far it has come.', CALL_STATUS_TEXTS) }),
    isVideo: z.boolean().meta({ description: 'True for a video call.' }),
    isGroup: z.boolean().meta({ description: 'True for a call to a group.' }),
  })
  .meta({ id: 'Call', description: 'A call that has reached the account.' });
export const callFields = CallView.shape;

const NoticeView = z
  .object({
    type: z.enum(NOTICE_TYPES).meta({ description: explained('What it says.', NOTICE_TEXTS) }),
    group: z
      .object({
        changed: z.array(z.string()).meta({ description: 'What is other than before, as `group.updated` names it.' }),
        name: z.string().nullable().meta({ description: "The group's name then. Null where it was not known." }),
        participants: z
          .array(
            z.object({
              chatId: z.string().meta({ description: 'The address under which the network shows them in the group.' }),
              change: z.string().meta({ description: 'What is other than before, as `group.updated` names it.' }),
            }),
          )
          .meta({ description: 'The others who came or went, or have another role.' }),
      })
      .exactOptional()
      .meta({ description: 'What has become of the group. Missing for other notices.' }),
  })
  .meta({ id: 'Notice', description: 'What the network itself has put into a chat.' });

const onlyFor = (kind: string) => `Missing where the message is no ${kind}.`;

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
      'True where the sender wants the file to be seen once: it is not kept, and the phone shows it. Missing otherwise.',
  }),
  unsupported: z.string().optional().meta({
    description: "The network's own name of what the engine cannot show, for the kind `other`. Missing otherwise.",
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
