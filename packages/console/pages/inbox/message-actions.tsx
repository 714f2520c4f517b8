import { useState } from 'preact/hooks';
import type { Message } from '../../../typescript/src/index.ts';
import { Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Field } from '../../parts/field.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Problem, toFailure } from '../../parts/problem.tsx';
import type { Failure } from '../../parts/problem.tsx';
import { engine } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { mayDelete, mayEdit } from './deadlines.ts';
import { t } from '../../parts/words/t.ts';

interface DeedProps {
  message: Message;
  reload: () => void;
}

const EMOJIS = ['👍', '❤️', '😂', '🙏'];
const TEXT_AT_MOST = 4_096;

const EditForm = ({ message, reload, close }: DeedProps & { close: () => void }) => {
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

const Edit = ({ message, reload }: DeedProps) => {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" class="plain" onClick={() => setOpen(true)}>
        {t('Edit …')}
      </button>
      <Dialog open={isOpen} title={t('Edit message')} onClose={() => setOpen(false)}>
        <EditForm message={message} reload={reload} close={() => setOpen(false)} />
      </Dialog>
    </>
  );
};

const Delete = ({ message, reload }: DeedProps) => (
  <Action
    tone="plain"
    confirm={{
      title: t('Delete this message for everyone?'),
      text: t('The customer sees that a message was deleted, and may already have read it.'),
      yes: t('Delete'),
      danger: true,
    }}
    done={t('Deletion requested. The message changes when the network has deleted it')}
    run={async () => {
      await engine.value.messages.revoke(message.messageId, {});
      reload();
    }}
  >
    {t('Delete …')}
  </Action>
);

/** The actions on a message: react, and for an own one edit and delete while that is possible. */
export const Deeds = ({ message, reload }: DeedProps) => (
  <details class="react">
    <summary title={message.fromMe ? t('React or edit') : t('React')}>
      <Icon name="react" />
      <span class="visually-hidden">{message.fromMe ? t('React or edit') : t('React')}</span>
    </summary>
    <div class="row">
      {EMOJIS.map((emoji) => (
        <Action
          key={emoji}
          tone="plain"
          label={t('React with {0}', emoji)}
          done={t('The reaction is being sent')}
          run={async () => {
            await engine.value.messages.react(message.messageId, { emoji });
            reload();
          }}
        >
          {emoji}
        </Action>
      ))}
      {mayEdit(message) && <Edit message={message} reload={reload} />}
      {mayDelete(message) && <Delete message={message} reload={reload} />}
    </div>
  </details>
);
