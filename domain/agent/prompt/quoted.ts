import { cut } from '../../cut.ts';
import { visible } from '../reply/invisible.ts';

/**
 * Quotes a text that others wrote as the content of an element. Nothing in the text can end the element or begin
 * another. Characters that look like angle brackets are replaced, too, because a model reads them as brackets.
 */
export function quoted(tag: string, attributes: Readonly<Record<string, string>>, text: string): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${inLine(value)}"`);
  return `<${tag}${written.join('')}>${withoutBrackets(visible(text))}</${tag}>`;
}

/** Makes one line without quotation marks, for attributes and for names inside brackets. */
export function inLine(text: string, maxCharacters = 100): string {
  const line = withoutBrackets(visible(text)).replace(/["[\]]/g, "'");
  return cut(line.replace(/\s+/g, ' ').trim(), maxCharacters);
}

function withoutBrackets(text: string): string {
  return text.replace(/[<\uFE64\uFF1C]/g, '&lt;');
}
