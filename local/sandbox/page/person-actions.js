// A person's actions besides writing words: each is one call of a control route.

/**
 * @typedef {{ id: string, by: 'engine' | 'phone' | 'person', kind: string, options: string[] }} Said
 * @typedef {{ from: string, text: string, messages: readonly Said[] }} Deed
 */

/**
 * Makes the call of a deed; `text` is what stands in the field for words, and the messages are those of the chat, the
 * oldest first.
 * @param {string} name
 * @param {Deed} deed
 * @returns {{ act: string, body: object }}
 */
export function deedOf(name, { from, text, messages }) {
  const writes = (/** @type {object} */ content) => ({ act: 'inbound', body: { from, ...content } });
  switch (name) {
    case 'picture':
      return writes({ text, media: { mimetype: 'image/png' } });
    case 'view-once':
      return writes({ text, media: { mimetype: 'image/png' }, viewOnce: true });
    case 'location':
      return writes({ location: { latitude: 52.52, longitude: 13.405, title: text || 'Our meeting point' } });
    case 'card':
      return writes({ vcards: [cardOf(text || 'Ada Example', from)] });
    case 'poll':
      return writes({ poll: { name: text || 'When shall we meet?', options: ['At nine', 'At ten'] } });
    case 'call':
      return { act: 'call', body: { from, id: `CALL-${crypto.randomUUID()}` } };
    case 'reaction':
      return { act: 'reaction', body: { from, id: newest(messages, isOurs, 'the account').id, text: text || '👍' } };
    case 'edit':
      return { act: 'edit', body: { id: newest(messages, isTheirs, 'this person').id, text: wordsIn(text) } };
    case 'revoke':
      return { act: 'revoke', body: { id: newest(messages, isTheirs, 'this person').id } };
    case 'vote': {
      const { id, options } = newest(messages, ({ kind }) => kind === 'poll', 'the kind “poll”');
      return { act: 'vote', body: { from, id, options: [options.includes(text) ? text : (options[0] ?? '')] } };
    }
    default:
      throw new Error(`Nobody does ${name}.`);
  }
}

const isOurs = (/** @type {Said} */ { by }) => by !== 'person';
const isTheirs = (/** @type {Said} */ { by }) => by === 'person';

/**
 * @param {readonly Said[]} messages
 * @param {(said: Said) => boolean} fits
 * @param {string} whose
 */
function newest(messages, fits, whose) {
  const found = messages.findLast(fits);
  if (!found) throw new Error(`The chat has no message of ${whose} yet.`);
  return found;
}

/** @param {string} text */
function wordsIn(text) {
  if (text === '') throw new Error('Enter the new text of the message in the text field.');
  return text;
}

/**
 * @param {string} name
 * @param {string} from
 */
function cardOf(name, from) {
  return ['BEGIN:VCARD', 'VERSION:3.0', `FN:${name}`, `TEL:+${from.replaceAll(/\D/g, '')}`, 'END:VCARD'].join('\n');
}
