import { Action } from '../../parts/action.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';

const LOOK_MS = 15_000;

/** Whether the agent answers at all. */
export const State = () => (
  <Panel
    title="State"
    load={(signal) => engine.value.agentState.read({}, { signal })}
    every={LOOK_MS}
    on={['conversation.assigned', 'conversation.released']}
  >
    {({ enabled, mode, silence }, panel) => {
      const isAnswering = silence === null;
      const change = async (to: { enabled?: boolean; mode?: 'bot_active' | 'human_takeover' }): Promise<void> => {
        const { inFlight, ...state } = await engine.value.agentState.update(to);
        panel.set(state);
        if (inFlight.length > 0) say(`${inFlight.length} of its messages were being sent already and may still arrive`);
      };
      return (
        <div class="spread">
          <p class="row">
            <Badge tone={isAnswering ? 'good' : 'warn'}>{isAnswering ? 'Answering' : 'Silent'}</Badge>
            <span>
              {!enabled && 'It is switched off.'}
              {enabled && silence === 'human' && 'People have taken over all chats.'}
              {enabled && silence === 'paused' && 'Its persona does not answer customers.'}
              {isAnswering && 'It answers in every chat that no person has taken over.'}
            </span>
          </p>
          {mayDo('ai:admin') && (
            <div class="row">
              {enabled ? (
                <Action
                  run={() => change({ enabled: false })}
                  confirm={{
                    title: 'Switch the agent off?',
                    text: 'It answers nobody until you switch it on again.',
                    yes: 'Switch off',
                  }}
                  done="Switched off"
                >
                  Switch off …
                </Action>
              ) : (
                <Action tone="primary" run={() => change({ enabled: true })} done="Switched on">
                  Switch on
                </Action>
              )}
              {mode === 'bot_active' ? (
                <Action
                  run={() => change({ mode: 'human_takeover' })}
                  confirm={{
                    title: 'Take over all chats?',
                    text: 'The agent is silent everywhere, and people answer.',
                    yes: 'Take over',
                  }}
                  done="People have all chats"
                >
                  Take over all …
                </Action>
              ) : (
                <Action run={() => change({ mode: 'bot_active' })} done="The agent has its chats back">
                  Give all back
                </Action>
              )}
            </div>
          )}
        </div>
      );
    }}
  </Panel>
);
