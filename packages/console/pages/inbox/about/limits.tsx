import type { Conversation } from '../../../../typescript/src/index.ts';
import { Action } from '../../../parts/action.tsx';
import { engine, isGuest, mayDo } from '../../../shell/engine.ts';

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
    <details class="about limits">
      <summary>Stop contact</summary>
      <div class="stack">
        {isOptedOut ? (
          <Action
            confirm={{
              title: `End the opt-out of “${name}”?`,
              text: 'The customer gets messages of the agent, of automations and bulk messages again.',
              yes: 'End opt-out',
            }}
            done="The opt-out has ended"
            run={async () => {
              await engine.value.contacts.optIn(contactId);
              reload();
            }}
          >
            End opt-out …
          </Action>
        ) : (
          <Action
            confirm={{
              title: `Opt “${name}” out?`,
              text: 'The agent and automations never write to the customer again, and bulk messages are not sent. You can still answer.',
              yes: 'Opt out',
              danger: true,
            }}
            done="Opted out"
            run={async () => {
              await engine.value.contacts.optOut(contactId);
              reload();
            }}
          >
            Opt out …
          </Action>
        )}
        <Action
          confirm={{
            title: isBlocked ? `Unblock “${name}”?` : `Block “${name}”?`,
            text: isBlocked
              ? 'The customer can write to this account again.'
              : 'The customer can no longer write to this account, and is not told.',
            yes: isBlocked ? 'Unblock' : 'Block',
            danger: !isBlocked,
          }}
          done={isBlocked ? 'Unblocked' : 'Blocked'}
          run={async () => {
            await engine.value.contacts[isBlocked ? 'unblock' : 'block'](sessionId, { chatId });
            reload();
          }}
        >
          {isBlocked ? 'Unblock …' : 'Block …'}
        </Action>
      </div>
    </details>
  );
};
