import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Message } from '../../../typescript/src/index.ts';
import { ask } from '../../parts/ask.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { MenuButton, MenuItem } from '../../parts/menu-button.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { engine } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import type { MessageDeeds } from './around.ts';
import { mayDelete, mayEdit } from './deadlines.ts';
import { t } from '../../parts/words/t.ts';

const EMOJIS = ['👍', '❤️', '😂', '🙏'];
const TEXT_AT_MOST = 4_096;

interface EditProps {
  message: Message;
  reload: () => void;
  close: () => void;
}

const EditForm = ({ message, reload, close }: EditProps) => {
  const [text, setText] = useState(message.body);
  const [problem, setProblem] = useState<Failure | null>(null);
  const save = async (): Promise<void> => {
    try {
      await engine.value.messages.edit(message.messageId, { text });
      say(t('Edit requested. The message changes when the network has the edit'));
      close();
      reload();
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Field label={t('New text')} hint={t('The customer sees that the message was edited.')}>
        {(control) => (
          <textarea
            {...control}
            rows={4}
            required
            maxLength={TEXT_AT_MOST}
            dir="auto"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
        )}
      </Field>
      {problem && <Problem problem={problem} />}
      <div>
        <button type="submit" class="primary" disabled={text.trim() === '' || text === message.body}>
          {t('Save')}
        </button>
      </div>
    </form>
  );
};

const DELETION = {
  title: t('Delete this message for everyone?'),
  text: t('The customer sees that a message was deleted, and may already have read it.'),
  yes: t('Delete'),
  danger: true,
};

/** The actions on messages of a thread, and their dialogs. A message may be out of sight when its action fails. */
export const useDeeds = (reload: () => void): { deeds: MessageDeeds; dialogs: ComponentChildren } => {
  const [edited, setEdited] = useState<Message | null>(null);
  const [problem, setProblem] = useState<Failure | null>(null);
  const act = async (run: () => Promise<unknown>, done: string): Promise<void> => {
    try {
      await run();
      say(done);
      reload();
    } catch (error) {
      setProblem(toFailure(error));
    }
  };
  const dialogs = (
    <>
      <Dialog open={edited !== null} title={t('Edit message')} onClose={() => setEdited(null)}>
        {edited && <EditForm message={edited} reload={reload} close={() => setEdited(null)} />}
      </Dialog>
      <Dialog open={problem !== null} title={t('The action failed')} onClose={() => setProblem(null)}>
        {problem && <Problem problem={problem} />}
      </Dialog>
    </>
  );
  return { deeds: { act, edit: setEdited }, dialogs };
};

/** The menu of a message: react, and for a while edit or delete an own one. */
export const Deeds = ({ message, deeds: { act, edit } }: { message: Message; deeds: MessageDeeds }) => {
  const { messageId } = message;
  const remove = async (): Promise<void> => {
    if (!(await ask(DELETION))) return;
    const done = t('Deletion requested. The message changes when the network has deleted it');
    await act(() => engine.value.messages.revoke(messageId, {}), done);
  };
  return (
    <MenuButton label={message.fromMe ? t('React or edit') : t('React')} icon="react">
      {EMOJIS.map((emoji) => (
        <MenuItem
          key={emoji}
          label={t('React with {0}', emoji)}
          onClick={() =>
            void act(() => engine.value.messages.react(messageId, { emoji }), t('The reaction is being sent'))
          }
        >
          {emoji}
        </MenuItem>
      ))}
      {mayEdit(message) && <MenuItem onClick={() => edit(message)}>{t('Edit …')}</MenuItem>}
      {mayDelete(message) && <MenuItem onClick={() => void remove()}>{t('Delete …')}</MenuItem>}
    </MenuButton>
  );
};
