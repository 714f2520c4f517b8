import { Action } from '../../parts/action.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge } from '../../parts/small.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { say } from '../../shell/say.tsx';
import { t } from '../../parts/words/t.ts';

const LOOK_MS = 15_000;

/** Whether the agent answers at all. */
export const State = () => (
  <Panel
    title={t('Status')}
    load={(signal) => engine.value.agentState.read({}, { signal })}
    every={LOOK_MS}
    on={['conversation.assigned', 'conversation.released']}
  >
    {({ enabled, mode, silence }, panel) => {
      const isAnswering = silence === null;
      const change = async (to: { enabled?: boolean; mode?: 'bot_active' | 'human_takeover' }): Promise<void> => {
        const { inFlight, ...state } = await engine.value.agentState.update(to);
        panel.set(state);
        if (inFlight.length > 0)
          say(t('{0} of its messages were already being sent and may still arrive', inFlight.length));
      };
      return (
        <div class="spread">
          <p class="row">
            <Badge tone={isAnswering ? 'good' : 'warn'}>{isAnswering ? t('Answering') : t('Silent')}</Badge>
            <span>
              {!enabled && t('The agent is switched off.')}
              {enabled && silence === 'human' && t('People have taken over all conversations.')}
              {enabled && silence === 'paused' && t('“Answers customers” is off in its persona.')}
              {isAnswering && t('The agent answers in every conversation that no person has taken over.')}
            </span>
          </p>
          {mayDo('ai:admin') && (
            <div class="row">
              {enabled ? (
                <Action
                  run={() => change({ enabled: false })}
                  confirm={{
                    title: t('Switch off the agent?'),
                    text: t('The agent answers nobody until you switch it on again.'),
                    yes: t('Switch off'),
                  }}
                  done={t('Switched off')}
                >
                  {t('Switch off …')}
                </Action>
              ) : (
                <Action tone="primary" run={() => change({ enabled: true })} done={t('Switched on')}>
                  {t('Switch on')}
                </Action>
              )}
              {mode === 'bot_active' ? (
                <Action
                  run={() => change({ mode: 'human_takeover' })}
                  confirm={{
                    title: t('Take over all conversations?'),
                    text: t('The agent stops answering everywhere, and people answer instead.'),
                    yes: t('Take over'),
                  }}
                  done={t('People answer in all conversations')}
                >
                  {t('Take over all …')}
                </Action>
              ) : (
                <Action run={() => change({ mode: 'bot_active' })} done={t('The agent answers again')}>
                  {t('Give all back')}
                </Action>
              )}
            </div>
          )}
        </div>
      );
    }}
  </Panel>
);
