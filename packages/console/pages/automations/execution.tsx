import { Action } from '../../parts/action.tsx';
import { Code } from '../../parts/code.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { go, href } from '../../shell/location.ts';
import { RunPicture } from './run-picture.tsx';
import { begunBy, reasonOf, stateOf, waitOf } from './words.ts';
import { t } from '../../parts/words/t.ts';

const CHANGES = ['automation.started', 'automation.completed', 'automation.failed'];
const LOOK_MS = 5_000;

/** One run, from what began it to its end. */
export const ExecutionPage = ({ id }: { id: string }) => (
  <Panel
    title={t('Run')}
    deps={[id]}
    on={CHANGES}
    every={LOOK_MS}
    load={(signal) => engine.value.automations.readExecution(id, {}, { signal })}
  >
    {(run, panel) => {
      const [tone, text] = stateOf(run.status);
      const isOver = run.status !== 'running';
      return (
        <div class="stack">
          <Facts
            items={[
              [
                t('Automation'),
                <a href={href(`/automations/all/${encodeURIComponent(run.automation)}`)}>{run.automation}</a>,
              ],
              [t('Status'), <Badge tone={tone}>{text}</Badge>],
              ...(run.reason === null ? [] : [[t('Reason'), reasonOf(run.reason)] as const]),
              ...(run.failedPath === null ? [] : [[t('Failed at'), <code>{run.failedPath}</code>] as const]),
              ...(run.waitsFor === null ? [] : [[t('Waiting'), waitOf(run.waitsFor)] as const]),
              ...(run.waitsUntil === null ? [] : [[t('Continues'), <Time at={run.waitsUntil} />] as const]),
              [
                t('Started by'),
                run.begun.eventId === undefined ? (
                  begunBy(run.begun.event)
                ) : (
                  <a href={href(`/events/events/${encodeURIComponent(run.begun.eventId)}`)}>
                    {begunBy(run.begun.event)}
                  </a>
                ),
              ],
              ...(run.begun.optOut === undefined
                ? []
                : [
                    [
                      t('Opt-out'),
                      run.begun.optOut ? t('The message opted out') : t('The message opted in again'),
                    ] as const,
                  ]),
              [t('Requested'), <Time at={run.createdAt} how="clock" />],
              [t('Ended'), <Time at={run.endedAt} how="clock" />],
              [t('Version'), run.version],
              ...(run.conversationId === null
                ? []
                : [
                    [
                      t('Conversation'),
                      <a href={href(`/inbox/${encodeURIComponent(run.conversationId)}`)}>{t('Open')}</a>,
                    ] as const,
                  ]),
              ...(run.temporalUrl === null
                ? []
                : [
                    [
                      t('In Temporal'),
                      <a href={run.temporalUrl} target="_blank" rel="noreferrer">
                        {t('Open (new tab)')}
                      </a>,
                    ] as const,
                  ]),
              ...(run.retryOf === null
                ? []
                : [
                    [
                      t('Repeat of'),
                      <a href={href(`/automations/runs/${encodeURIComponent(run.retryOf)}`)}>{t('an earlier run')}</a>,
                    ] as const,
                  ]),
              ...(run.retriedBy === null
                ? []
                : [
                    [
                      t('Repeated by'),
                      <a href={href(`/automations/runs/${encodeURIComponent(run.retriedBy)}`)}>{t('a later run')}</a>,
                    ] as const,
                  ]),
            ]}
          />
          {mayDo('send') && (
            <div class="row">
              {isOver ? (
                <Action
                  run={async () => go(`/automations/runs/${(await engine.value.automations.retryExecution(id)).id}`)}
                  confirm={{
                    title: t('Repeat this run?'),
                    text: t('The run starts again from the beginning, and may send the same messages again.'),
                    yes: t('Repeat'),
                  }}
                  done={t('The run was repeated. This page shows the new run')}
                >
                  {t('Repeat …')}
                </Action>
              ) : (
                <Action
                  tone="danger"
                  run={async () => {
                    await engine.value.automations.cancelExecution(id);
                    panel.reload();
                  }}
                  confirm={{
                    title: t('Cancel this run?'),
                    text: t('The run stops. It does not delete the messages that it has sent.'),
                    yes: t('Cancel run'),
                    danger: true,
                  }}
                  done={t('The run is being cancelled')}
                >
                  {t('Cancel …')}
                </Action>
              )}
            </div>
          )}
          <RunPicture run={run} />
          <details>
            <summary>{t('Parameters')}</summary>
            <Code label={t('Parameters of the run')} text={JSON.stringify(run.params, null, 2)} />
          </details>
        </div>
      );
    }}
  </Panel>
);
