import type { Message } from '../../../sdk/typescript/src/index.ts';
import { Time } from '../../parts/time.tsx';
import type { Around } from './around.ts';
import { noticeText } from './content/content-words.ts';

/** What happened in the chat, and nobody said. */
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
