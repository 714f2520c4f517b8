import type { Conversation } from '../../../../typescript/src/index.ts';
import { who } from '../../../shell/engine.ts';
import { mayOpen } from '../../../shell/who.ts';
import { Facts, OtherChats, Runs } from './known.tsx';
import { Limits } from './limits.tsx';
import { Notes } from './notes.tsx';

/** A link opens other pages only where it names them. */
const opens = (page: string): boolean => who.value !== null && mayOpen(who.value, { name: page });

/** Shows all that the team knows about the person, and the runs under way. */
export const About = ({ chat, reload }: { chat: Conversation; reload: () => void }) => (
  <>
    {chat.contactId !== null && (
      <Notes key={chat.contactId} contactId={chat.contactId} conversationId={chat.conversationId} />
    )}
    {opens('automations') && <Runs id={chat.conversationId} />}
    {chat.contactId !== null && opens('agent') && <Facts contactId={chat.contactId} />}
    <OtherChats chats={chat.otherChats ?? []} />
    {chat.contact !== null && <Limits chat={chat} contact={chat.contact} reload={reload} />}
  </>
);
