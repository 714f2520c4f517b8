import type { Conversation } from '../../../../typescript/src/index.ts';
import { Action } from '../../../parts/action.tsx';
import { engine, isGuest, mayDo } from '../../../shell/engine.ts';
import { t } from '../../../parts/words/t.ts';

interface LimitsProps {
  chat: Conversation;
  contact: NonNullable<Conversation['contact']>;
  reload: () => void;
}

/** Ends and resumes contact with a person, apart from what people do every day. */
export const Limits = ({ chat, contact, reload }: LimitsProps) => {
  if (!mayDo('send') || isGuest.value) return null;
  const { sessionId, chatId, name } = chat;
  const { contactId, isOptedOut, isBlocked } = contact;
  return (
    <details class="about-person limits">
      <summary>{t('Stop contact')}</summary>
      <div class="stack">
        {isOptedOut ? (
          <Action
            confirm={{
              title: t('End the opt-out of “{0}”?', name),
              text: t('The customer gets messages of the agent, of automations and bulk messages again.'),
              yes: t('End opt-out'),
            }}
            done={t('The opt-out has ended')}
            run={async () => {
              await engine.value.contacts.optIn(contactId);
              reload();
            }}
          >
            {t('End opt-out …')}
          </Action>
        ) : (
          <Action
            confirm={{
              title: t('Opt “{0}” out?', name),
              text: t(
                'The agent and automations never write to the customer again, and bulk messages are not sent. You can still answer.',
              ),
              yes: t('Opt out'),
              danger: true,
            }}
            done={t('Opted out')}
            run={async () => {
              await engine.value.contacts.optOut(contactId);
              reload();
            }}
          >
            {t('Opt out …')}
          </Action>
        )}
        <Action
          confirm={{
            title: isBlocked ? t('Unblock “{0}”?', name) : t('Block “{0}”?', name),
            text: isBlocked
              ? t('The customer can write to this account again.')
              : t('The customer can no longer write to this account, and gets no notice.'),
            yes: isBlocked ? t('Unblock') : t('Block'),
            danger: !isBlocked,
          }}
          done={isBlocked ? t('Unblocked') : t('Blocked')}
          run={async () => {
            await engine.value.contacts[isBlocked ? 'unblock' : 'block'](sessionId, { chatId });
            reload();
          }}
        >
          {isBlocked ? t('Unblock …') : t('Block …')}
        </Action>
      </div>
    </details>
  );
};
