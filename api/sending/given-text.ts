import { invalid } from '../../domain/error.ts';

interface Words {
  text: string | undefined;
  /** The field for the error of a missing text: the name that the request has used. */
  pointer: string;
}

/**
 * Returns the words of a message, which a request may give as `text` or under the name that the API's specification has
 * for them in this place. Different words under both names are refused, because nobody knows which are meant.
 */
export function wordsOf(
  text: string | undefined,
  [pointer, specified]: readonly [pointer: string, words: string | undefined],
): Words {
  if (text !== undefined && specified !== undefined && text !== specified) {
    throw invalid({ pointer, message: 'differs from text: send one of the two' });
  }
  return specified === undefined ? { text, pointer: '/text' } : { text: specified, pointer };
}
