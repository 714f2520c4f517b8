import { Action } from '../../parts/action.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';

const LOOK_MS = 15_000;

/** Whether the agent answers at all. */
export const State = () => (
  <Panel
    title="Status"
    load={(signal) => engine.value.agentState.read({}, { signal })}
    every={LOOK_MS}
    on={['conversation.assigned', 'conversation.released']}
  >
    {({ enabled, mode, silence }, panel) => {
      const isAnswering = silence === null;
      const change = async (to: { enabled?: boolean; mode?: 'bot_active' | 'human_takeover' }): Promise<void> => {
        const { inFlight, ...state } = await engine.value.agentState.update(to);
        panel.set(state);
        if (inFlight.length > 0) say(`${inFlight.length} of its messages were already being sent and may still arrive`);
      };
      return (
        <div class="spread">
          <p class="row">
            <Badge tone={isAnswering ? 'good' : 'warn'}>{isAnswering ? 'Answering' : 'Silent'}</Badge>
            <span>
              {!enabled && 'The agent is switched off.'}
              {enabled && silence === 'human' && 'People have taken over all conversations.'}
              {enabled && silence === 'paused' && '“Answers customers” is off in its persona.'}
              {isAnswering && 'The agent answers in every conversation that no person has taken over.'}
            </span>
          </p>
          {mayDo('ai:admin') && (
            <div class="row">
              {enabled ? (
                <Action
                  run={() => change({ enabled: false })}
                  confirm={{
                    title: 'Switch off the agent?',
                    text: 'The agent answers nobody until you switch it on again.',
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
                    title: 'Take over all conversations?',
                    text: 'The agent stops answering everywhere, and people answer instead.',
                    yes: 'Take over',
                  }}
                  done="People answer in all conversations"
                >
                  Take over all …
                </Action>
              ) : (
                <Action run={() => change({ mode: 'bot_active' })} done="The agent answers again">
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
