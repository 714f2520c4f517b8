import { Action } from '../../parts/action.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { settledText } from './words.ts';
import { t } from '../../parts/words/t.ts';

/** Settles all chats that wait for an answer which nobody is about to give. */
export const OwedActions = ({ reload }: { reload: () => void }) => {
  if (!mayDo('send')) return null;
  const settle = async (action: 'answer' | 'hand_over', reason: string): Promise<void> => {
    say(settledText(await engine.value.conversations.settleOwed({ action, reason: reason.trim() || undefined })));
    reload();
  };
  return (
    <div class="row">
      <Action
        run={({ reason }) => settle('answer', reason)}
        confirm={{
          title: t('Let the agent answer?'),
          text: t(
            'The agent answers up to 100 chats of all accounts that nobody has taken, the longest wait first. This ignores the filters of the list.',
          ),
          yes: t('Answer'),
        }}
      >
        {t('Let the agent answer')}
      </Action>
      <Action
        run={({ reason }) => settle('hand_over', reason)}
        confirm={{
          title: t('Hand over to people?'),
          text: t(
            'People get up to 100 chats of all accounts that the agent left without an answer. This ignores the filters of the list.',
          ),
          yes: t('Hand over'),
          reason: true,
        }}
      >
        {t('Hand over')}
      </Action>
    </div>
  );
};
