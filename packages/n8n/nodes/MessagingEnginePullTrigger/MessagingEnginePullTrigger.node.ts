import { NodeConnectionTypes } from 'n8n-workflow';
import type { INodeType, INodeTypeDescription, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { EVENT_PROPERTIES } from '../event-properties.ts';
import { askedFor, follow, untilOne } from './follow.ts';

export class MessagingEnginePullTrigger implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Messaging Engine Pull Trigger',
    name: 'messagingEnginePullTrigger',
    icon: { light: 'file:../../icons/engine.svg', dark: 'file:../../icons/engine.dark.svg' },
    group: ['trigger'],
    version: 1,
    subtitle: '={{$parameter["events"].join(", ")}}',
    description: 'Starts the workflow for each event, which it fetches; works where nobody can reach n8n',
    defaults: { name: 'Messaging Engine Pull Trigger' },
    inputs: [],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'messagingEngineApi', required: true }],
    properties: [
      ...EVENT_PROPERTIES,
      {
        displayName: 'Start With',
        name: 'startWith',
        type: 'options',
        default: 'now',
        options: [
          { name: 'Events From Now On', value: 'now' },
          { name: 'All Events That Are Kept', value: 'start' },
        ],
        description: 'Where the first activation begins; afterwards it goes on where it was',
      },
    ],
  };

  async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
    const asked = await askedFor(this);
    const stop = new AbortController();
    const closeFunction = async () => stop.abort();
    if (this.getMode() === 'manual') {
      return { closeFunction, manualTriggerFunction: () => untilOne(this, asked, stop.signal) };
    }
    void follow(this, asked, stop.signal);
    return { closeFunction };
  }
}
