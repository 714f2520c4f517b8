import type { Message } from '../../../typescript/src/index.ts';
import { Time } from '../../parts/time.tsx';
import type { Around } from './around.ts';
import { noticeText } from './content/content-words.ts';

/** An event in the chat that is no message of anybody. */
export const Notice = ({
  message: { messageId, notice, body, timestamp },
  around,
}: {
  message: Message;
  around: Around;
}) => (
  <p id={`m-${messageId}`} class="day small quiet" dir="auto">
    {notice && (body === '' ? noticeText(notice, around.nameOf) : body)} · <Time at={timestamp} how="hour" />
  </p>
);
