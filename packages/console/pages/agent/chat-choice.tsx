import { useEffect } from 'preact/hooks';
import { Select } from '../../parts/field.tsx';
import { Loadable } from '../../parts/panel.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine } from '../../shell/engine.ts';
import { t } from '../../parts/words/t.ts';

const LAST = 50;
const SHOWN = 50;

interface ChatChoiceProps {
  value: string | undefined;
  onChange: (conversationId: string | undefined) => void;
  /** The text without a chosen chat. Without this text, a chat is required, and the newest is preselected. */
  none?: string;
}

/** One of the last chats. */
export const ChatChoice = ({ value, onChange, none }: ChatChoiceProps) => {
  const chats = useLoad({ load: (signal) => engine.value.conversations.list({ limit: LAST }, { signal }) });
  const newest = none === undefined && value === undefined ? chats.data?.chats[0]?.conversationId : undefined;
  useEffect(() => {
    if (newest !== undefined) onChange(newest);
  }, [newest]);
  return (
    <Loadable of={chats}>
      {(page) => {
        const listed = page.chats.map(({ conversationId, name, lastMessage }) => ({
          value: conversationId,
          label: lastMessage === null ? name : `${name}: ${lastMessage.body.slice(0, SHOWN)}`,
        }));
        if (none === undefined && value === undefined && listed.length === 0) {
          return <p class="quiet">{t('There are no conversations yet. Someone has to write to an account first.')}</p>;
        }
        const isListed = value === undefined || listed.some((option) => option.value === value);
        return (
          <Select
            label={t('Conversation')}
            value={value}
            options={[
              ...(none === undefined ? [] : [{ value: '', label: none }]),
              ...(isListed ? [] : [{ value, label: value }]),
              ...listed,
            ]}
            onChange={(next) => onChange(next === '' ? undefined : next)}
          />
        );
      }}
    </Loadable>
  );
};
