import { Skeleton } from '../../parts/skeleton.tsx';
import { listedChat } from './known-chats.ts';
import { lineOf } from './words.ts';

/** A thread that is being loaded, with the last words that the list has of it. */
export const Awaited = ({ id }: { id: string }) => {
  const last = listedChat(id)?.lastMessage ?? null;
  return (
    <>
      <Skeleton rows={6} shape="bubble" />
      {last !== null && (
        <div class={`bubble ${last.fromMe ? 'mine' : 'theirs'}`}>
          <p class="words" dir="auto">
            {lineOf(last)}
          </p>
        </div>
      )}
    </>
  );
};
