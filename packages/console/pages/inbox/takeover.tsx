import { useState } from 'preact/hooks';
import { Action } from '../../parts/action.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { NameForm } from '../../parts/name-form.tsx';
import { toFailure } from '../../parts/problem.tsx';
import { Badge } from '../../parts/small.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { me } from '../../shell/me.ts';
import { say } from '../../shell/say.tsx';
import { AssignForm } from './assign.tsx';
import type { HandsProps } from './assign.tsx';
import { answererOf, givenBackText, takenText } from './words.ts';
import { t } from '../../parts/words/t.ts';

/** Shows the answering side, and switches it. */
export const Hands = ({ chat, silence, reload }: HandsProps) => {
  const [isOpen, setOpen] = useState(false);
  const [isNamed, setNamed] = useState(true);
  const answerer = answererOf(chat, silence);
  const take = async (): Promise<void> => {
    const assignee = me.value || undefined;
    const answer = await engine.value.conversations.assign(chat.conversationId, { assignee });
    say(takenText({ inFlight: answer.inFlight.length }, silence));
    reload();
    // The takeover comes first: the agent must not answer while the user types a name.
    setNamed(assignee !== undefined);
  };
  const named = async (assignee: string): Promise<void> => {
    setNamed(true);
    try {
      await engine.value.conversations.assign(chat.conversationId, { assignee });
    } catch (error) {
      say(t('Taken over without your name. {0}', toFailure(error).sentence));
    }
    reload();
  };
  return (
    <div class="row hands">
      <Badge tone={answerer.tone}>{answerer.word}</Badge>
      {mayDo('send') && chat.mode === 'bot_active' && (
        <Action run={take} tone="primary" shortcut="t">
          {t('Take over')}
        </Action>
      )}
      {mayDo('send') && chat.mode === 'human_takeover' && (
        <Action
          shortcut="t"
          done={givenBackText(silence)}
          run={async () => {
            await engine.value.conversations.release(chat.conversationId);
            reload();
          }}
        >
          {t('Give back')}
        </Action>
      )}
      {mayDo('send') && chat.waitingSince !== null && chat.mode === 'human_takeover' && (
        <Action
          shortcut="e"
          done={t('The chat no longer waits')}
          run={async () => {
            // A message that comes meanwhile may need one.
            const upTo = chat.lastMessage?.messageId ?? undefined;
            await engine.value.conversations.markRead(chat.conversationId, { needsNoAnswer: true, upTo });
            reload();
          }}
        >
          {t('Needs no answer')}
        </Action>
      )}
      {mayDo('send') && (
        <button type="button" onClick={() => setOpen(true)}>
          {t('Assign …')}
        </button>
      )}
      <Dialog open={!isNamed} onClose={() => setNamed(true)} title={t('Your chats')}>
        <NameForm done={(name) => void named(name)} />
      </Dialog>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title={t('Assign this conversation')}>
        <AssignForm
          chat={chat}
          silence={silence}
          reload={() => {
            setOpen(false);
            reload();
          }}
        />
      </Dialog>
    </div>
  );
};
