import { Action } from '../../parts/action.tsx';
import { Code } from '../../parts/code.tsx';
import { Panel } from '../../parts/panel.tsx';
import { Badge, Facts } from '../../parts/small.tsx';
import { Time } from '../../parts/time.tsx';
import { engine, mayDo } from '../../shell/engine.ts';
import { go, href } from '../../shell/location.ts';
import { RunPicture } from './run-picture.tsx';
import { begunBy, reasonOf, stateOf, waitOf } from './words.ts';

const CHANGES = ['automation.started', 'automation.completed', 'automation.failed'];
const LOOK_MS = 5_000;

/** One run, from what began it to its end. */
export const ExecutionPage = ({ id }: { id: string }) => (
  <Panel
    title="Run"
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
                'Automation',
                <a href={href(`/automations/all/${encodeURIComponent(run.automation)}`)}>{run.automation}</a>,
              ],
              ['Status', <Badge tone={tone}>{text}</Badge>],
              ...(run.reason === null ? [] : [['Reason', reasonOf(run.reason)] as const]),
              ...(run.waitsFor === null ? [] : [['Waiting', waitOf(run.waitsFor)] as const]),
              ...(run.waitsUntil === null ? [] : [['Continues', <Time at={run.waitsUntil} />] as const]),
              [
                'Started by',
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
                : [['Opt-out', run.begun.optOut ? 'The message opted out' : 'The message opted in again'] as const]),
              ['Requested', <Time at={run.createdAt} how="clock" />],
              ['Ended', <Time at={run.endedAt} how="clock" />],
              ['Version', run.version],
              ...(run.conversationId === null
                ? []
                : [
                    [
                      'Conversation',
                      <a href={href(`/inbox/${encodeURIComponent(run.conversationId)}`)}>Open</a>,
                    ] as const,
                  ]),
              ...(run.temporalUrl === null
                ? []
                : [
                    [
                      'In Temporal',
                      <a href={run.temporalUrl} target="_blank" rel="noreferrer">
                        Open (new tab)
                      </a>,
                    ] as const,
                  ]),
              ...(run.retryOf === null
                ? []
                : [
                    [
                      'Repeat of',
                      <a href={href(`/automations/runs/${encodeURIComponent(run.retryOf)}`)}>an earlier run</a>,
                    ] as const,
                  ]),
              ...(run.retriedBy === null
                ? []
                : [
                    [
                      'Repeated by',
                      <a href={href(`/automations/runs/${encodeURIComponent(run.retriedBy)}`)}>a later run</a>,
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
                    title: 'Repeat this run?',
                    text: 'The run starts again from the beginning, and may send the same messages again.',
                    yes: 'Repeat',
                  }}
                  done="The run was repeated. This page shows the new run"
                >
                  Repeat …
                </Action>
              ) : (
                <Action
                  tone="danger"
                  run={async () => {
                    await engine.value.automations.cancelExecution(id);
                    panel.reload();
                  }}
                  confirm={{
                    title: 'Cancel this run?',
                    text: 'The run stops. Messages that it has sent are not taken back.',
                    yes: 'Cancel run',
                    danger: true,
                  }}
                  done="The run is being cancelled"
                >
                  Cancel …
                </Action>
              )}
            </div>
          )}
          <RunPicture run={run} />
          <details>
            <summary>Parameters</summary>
            <Code label="Parameters of the run" text={JSON.stringify(run.params, null, 2)} />
          </details>
        </div>
      );
    }}
  </Panel>
);
