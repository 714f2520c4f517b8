import { Empty } from '../../parts/small.tsx';
import { ChooseFirst } from '../../parts/first/choose-first.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { place, who } from '../../shell/engine.ts';
import type { PageProps } from '../../shell/page.ts';
import { Chats } from './chats.tsx';
import { Conversation } from './conversation.tsx';

export default function InboxPage({ params }: PageProps) {
  const id = params['conversationId'];
  const isBound = who.value?.tenantId !== null || place.value.tenantId !== undefined;
  return (
    <>
      <PageHead title="Inbox" />
      {isBound ? (
        <div class={`inbox ${id === undefined ? '' : 'open'}`}>
          <Chats chosen={id} />
          {id === undefined ? (
            <div class="panel conversation none">
              <Empty text="Choose a conversation." />
            </div>
          ) : (
            <Conversation id={id} key={id} />
          )}
        </div>
      ) : (
        <ChooseFirst text="Choose a tenant above to see its conversations." />
      )}
    </>
  );
}
