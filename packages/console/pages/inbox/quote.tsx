import type { Message } from '../../../typescript/src/index.ts';
import { href } from '../../shell/location.ts';
import type { Around } from './around.ts';
import { lineOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

const speakerOf = ({ fromMe, from }: Message, { isGroup, nameOf }: Around): string => {
  if (fromMe) return t('We');
  return isGroup ? nameOf(from) : t('They');
};

/** The message that another one answers, in a line. */
export const QuotedLine = ({ message, around }: { message: Message; around: Around }) => (
  <>
    <strong>{speakerOf(message, around)}</strong>{' '}
    <span dir="auto">
      {lineOf({
        body: message.body,
        kind: message.kind,
        ...(message.contentState && { contentState: message.contentState }),
      })}
    </span>
  </>
);

/** Leads to the message that another one quotes; one that is not loaded has a page of its own. */
export const Quote = ({ id, around }: { id: string; around: Around }) => {
  const message = around.said(id);
  if (message === undefined)
    return (
      <a class="quote small" href={href(`/message/${id}`)}>
        {t('An earlier message')}
      </a>
    );
  return (
    <a
      class="quote small cut"
      href={`#m-${id}`}
      onClick={(event) => {
        // The document has only the messages in sight.
        event.preventDefault();
        around.lead?.(id);
      }}
    >
      <QuotedLine message={message} around={around} />
    </a>
  );
};
