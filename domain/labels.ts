import { z } from 'zod';
import { ContactId, ConversationId, PersonRef } from './ids.ts';
import { Target } from './scope.ts';

const MAX_LABELS = 100;

/** The network's own id, such as `3`. */
export const LabelId = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: "The network's id of a label.", examples: ['1'] });

export const Label = z
  .object({
    id: LabelId,
    name: z.string().nullable().meta({ description: 'Its name. Null if the network has not reported it.' }),
    color: z.int().nullable().meta({ description: 'The number of its colour. Null if the network reports none.' }),
    colorHex: z
      .string()
      .nullable()
      .meta({ description: 'Its colour, such as `#64c4ff`. Null if the network reports none.' }),
  })
  .meta({ id: 'Label', description: 'A label of the account, for sorting its chats.' });
export type Label = z.infer<typeof Label>;

export const ListedLabels = z
  .object({ labels: z.array(Label).meta({ description: 'All labels of the account.' }) })
  .meta({ id: 'ListedLabels', description: 'The labels of an account.' });

const LABEL_MODES = ['replace', 'add', 'remove'] as const;
export type LabelMode = (typeof LABEL_MODES)[number];

export const SetLabels = z
  .strictObject({
    ...Target,
    chatId: PersonRef.optional().meta({ description: 'A raw chat id of the network.' }),
    contactId: ContactId.optional().meta({ description: 'A contact of the tenant.' }),
    conversationId: ConversationId.optional().meta({ description: 'A conversation of the session.' }),
    labelIds: z
      .array(LabelId)
      .max(MAX_LABELS)
      .meta({ description: `The ids of labels of the account, at most ${MAX_LABELS}.` }),
    mode: z.enum(LABEL_MODES).default('replace').meta({
      description: '`replace`: the chat has exactly these labels. `add` and `remove`: its other labels stay unchanged.',
    }),
  })
  .meta({ id: 'SetLabels', description: 'The chat, named in one of three ways, and its labels.' });

export const LabelsSet = z
  .object({
    success: z.literal(true).meta({ description: 'The backend has accepted the labels.' }),
    chatId: z.string().meta({ description: "The network's name of the chat." }),
    conversationId: ConversationId.nullable().meta({
      description: 'The conversation of the chat. Null if nothing has been said in it yet.',
    }),
    contactId: ContactId.nullable().meta({ description: 'The contact of the chat. Null for groups and strangers.' }),
    labels: z.array(Label).meta({ description: 'The labels that the chat has now.' }),
  })
  .meta({ id: 'LabelsSet', description: 'The chat, and the labels that it has now.' });

/** Says which labels a chat has after a change. Labels that the account does not have any more go with any change. */
export function labelsAfter(
  mode: LabelMode,
  { before, given, known }: { before: readonly string[]; given: readonly string[]; known: readonly string[] },
): string[] {
  const kept = mode === 'replace' ? [] : before.filter((id) => known.includes(id));
  const wanted = mode === 'remove' ? kept.filter((id) => !given.includes(id)) : [...kept, ...given];
  return [...new Set(wanted)];
}
