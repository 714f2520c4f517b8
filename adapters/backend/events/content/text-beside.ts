import { z } from 'zod';
import type { RawMessage } from '../raw-message.ts';
import { Text } from '../raw.ts';
import { valuesOf, wordsOf } from '../spelling/read.ts';
import { BESIDE, contentIn } from './inner.ts';

/**
 * The places of the words in contents that are no plain text, the best first; several at one place are lines, and of a
 * list the first counts. GOWS writes the alternatives of a content as objects with names of their own, which the search
 * below finds.
 */
const PLACES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  templateMessage: [
    ['hydratedTemplate.hydratedTitleText', 'hydratedTemplate.hydratedContentText'],
    ['hydratedFourRowTemplate.hydratedTitleText', 'hydratedFourRowTemplate.hydratedContentText'],
    ['interactiveMessageTemplate.body.text'],
  ],
  highlyStructuredMessage: [
    ['hydratedHsm.hydratedTemplate.hydratedContentText'],
    ['hydratedHsm.hydratedFourRowTemplate.hydratedContentText'],
  ],
  interactiveMessage: [['body.text'], ['header.title', 'header.subtitle'], ['carouselMessage.cards.body.text']],
  buttonsMessage: [['contentText'], ['text']],
  listMessage: [['title', 'description'], ['buttonText']],
  orderMessage: [['message'], ['orderTitle']],
  productMessage: [['body'], ['product.title', 'product.description'], ['catalog.title']],
  groupInviteMessage: [['caption'], ['groupName']],
  newsletterAdminInviteMessage: [['caption'], ['newsletterName']],
  newsletterFollowerInviteMessageV2: [['caption'], ['newsletterName']],
  eventMessage: [['name', 'description']],
  invoiceMessage: [['note']],
  requestPaymentMessage: [['noteMessage.extendedTextMessage.text'], ['noteMessage.conversation']],
  sendPaymentMessage: [['noteMessage.extendedTextMessage.text'], ['noteMessage.conversation']],
  scheduledCallCreationMessage: [['title']],
  stickerPackMessage: [['name', 'caption']],
};

/** Names of fields that hold words, the most telling first. */
const TEXT_FIELDS = [
  'text',
  'caption',
  'contentText',
  'hydratedContentText',
  'description',
  'message',
  'body',
  'note',
  'title',
  'hydratedTitleText',
  'name',
  'displayText',
] as const;

/** Parts of a content that are not its own words: what it quotes, and keys, pictures and data for programs. */
const NOT_WORDS = /^(contextInfo|messageContextInfo|quotedMessage|key|jpegThumbnail|.*(id|url|sha256|token|json)s?)$/i;
const MAX_DEPTH = 6;

const Fields = z.record(z.string(), z.unknown());

/**
 * Finds the words of a message beside its body, because engines leave the words of many contents out of that; null where
 * there are none.
 */
export function wordsBeside(raw: RawMessage): string | null {
  const content = contentIn(raw) ?? {};
  for (const [name, value] of Object.entries(content)) {
    if (name === BESIDE || value === null) continue;
    const words = placedWords(name, value) ?? firstWords(value);
    if (words !== null) return words;
  }
  const [list] = valuesOf(raw, 'list');
  const ofList = placedWords('listMessage', list) ?? firstWords(list);
  return wordsOf(raw, 'caption') ?? ofList ?? wordsOf(raw, 'wordsOfModel');
}

function placedWords(name: string, content: unknown): string | null {
  const places = Object.hasOwn(PLACES, name) ? (PLACES[name] ?? []) : [];
  for (const paths of places) {
    const lines = paths.flatMap((path) => textAt(content, path.split('.')) ?? []);
    if (lines.length > 0) return lines.join('\n');
  }
  return null;
}

function textAt(value: unknown, [name, ...rest]: readonly string[]): string | null {
  if (name === undefined) return filled(value);
  const [first]: unknown[] = Array.isArray(value) ? value : [value];
  const inner = Fields.safeParse(first);
  return inner.success ? textAt(inner.data[name], rest) : null;
}

/** Finds the first field that reads as words in content that nobody knows, those nearer to its root first. */
function firstWords(content: unknown): string | null {
  let level: unknown[] = [content];
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const fields = level.flatMap((value) => {
      const parsed = Fields.safeParse(value);
      return parsed.success ? Object.entries(parsed.data).filter(([name]) => !NOT_WORDS.test(name)) : [];
    });
    for (const wanted of TEXT_FIELDS) {
      const words = fields.find(([name, value]) => name.toLowerCase() === wanted.toLowerCase() && filled(value));
      if (words !== undefined) return filled(words[1]);
    }
    level = fields.flatMap(([, value]) => (Array.isArray(value) ? value : [value]));
  }
  return null;
}

function filled(value: unknown): string | null {
  const text = Text.parse(value)?.trim() ?? '';
  return text === '' ? null : text;
}
