import { Empty } from '../../parts/small.tsx';
import { ChooseFirst } from '../../parts/first/choose-first.tsx';
import { PageHead } from '../../parts/page-head.tsx';
import { place, who } from '../../shell/engine.ts';
import { query } from '../../shell/location.ts';
import type { PageProps } from '../../shell/page.ts';
import { Chats } from './chats.tsx';
import { Conversation } from './conversation.tsx';
import { t } from '../../parts/words/t.ts';

/** A small screen shows one pane; the address says which. */
const paneOf = (id: string | undefined): string => {
  if (id === undefined) return 'list';
  return query.value['pane'] === 'person' ? 'person' : 'chat';
};

export default function InboxPage({ params }: PageProps) {
  const id = params['conversationId'];
  const isBound = who.value?.tenantId !== null || place.value.tenantId !== undefined;
  if (!isBound)
    return (
      <>
        <PageHead title={t('Inbox')} />
        <ChooseFirst text={t('Choose a tenant in the menu to see its conversations.')} />
      </>
    );
  return (
    <div class={`inbox shows-${paneOf(id)}`}>
      <PageHead title={t('Inbox')} />
      <Chats chosen={id} />
      {id === undefined ? (
        <div class="conversation none">
          <Empty text={t('Choose a conversation.')} />
        </div>
      ) : (
        <Conversation id={id} key={id} />
      )}
    </div>
  );
}
