import { Time } from '../../parts/time.tsx';
import type { Column } from '../../parts/table.tsx';
import { href } from '../../shell/location.ts';
import { who } from '../../shell/engine.ts';
import { mayOpen } from '../../shell/who.ts';
import type { EndpointNames } from './endpoint-names.ts';
import { t } from '../../parts/words/t.ts';

/** The fields that deliveries and attempts share. */
interface OfEvent {
  eventType: string | null;
  conversation: { id: string; name: string } | null;
  endpointId: string;
}

/** The person, with a link to the chat for people who may open the inbox. */
export const About = ({ conversation }: Pick<OfEvent, 'conversation'>) => {
  // An older process of the engine sends no conversation at all.
  if (conversation == null) return <span class="quiet">–</span>;
  const { name } = conversation;
  const isOpen = who.value !== null && mayOpen(who.value, { name: 'inbox' });
  return isOpen ? (
    <a class="words" dir="auto" href={href(`/inbox/${encodeURIComponent(conversation.id)}`)}>
      {name}
    </a>
  ) : (
    <span class="words" dir="auto">
      {name}
    </span>
  );
};

/** The columns for the time, the event, the person, and the endpoint if more than one is shown. */
export const columnsOfEvent = <T extends OfEvent>(
  names: EndpointNames,
  of: { at: (row: T) => string; address: (row: T) => string },
): readonly Column<T>[] => {
  const isOfOne = who.value?.endpointId != null;
  const columns: readonly Column<T>[] = [
    { head: t('When'), cell: (row) => <Time at={of.at(row)} how="clock" /> },
    {
      head: t('Event'),
      cell: (row) => (
        <a class="mono" href={href(of.address(row))}>
          {row.eventType ?? t('No longer stored')}
        </a>
      ),
    },
  ];
  // A link to one endpoint shows neither people nor other endpoints.
  if (isOfOne) return columns;
  return [
    ...columns,
    { head: t('About'), cell: ({ conversation }) => <About conversation={conversation} /> },
    { head: t('Endpoint'), cell: ({ endpointId }) => <span class="small words">{names.nameOf(endpointId)}</span> },
  ];
};
