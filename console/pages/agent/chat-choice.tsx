import { Select } from '../../parts/field.tsx';
import { Loadable } from '../../parts/panel.tsx';
import { useLoad } from '../../parts/use-load.ts';
import { engine } from '../../shell/engine.ts';

const LAST = 50;
const SHOWN = 50;

/** One of the last chats. */
export const ChatChoice = ({
  value,
  onChange,
}: {
  value: string | undefined;
  onChange: (conversationId: string | undefined) => void;
}) => {
  const chats = useLoad({ load: (signal) => engine.value.conversations.list({ limit: LAST }, { signal }) });
  return (
    <Loadable of={chats}>
      {(page) => {
        const listed = page.chats.map(({ conversationId, name, lastMessage }) => ({
          value: conversationId,
          label: lastMessage === null ? name : `${name}: ${lastMessage.body.slice(0, SHOWN)}`,
        }));
        const isListed = value === undefined || listed.some((option) => option.value === value);
        return (
          <Select
            label="Recorded chat"
            value={value}
            options={[
              { value: '', label: 'None: write something below' },
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
