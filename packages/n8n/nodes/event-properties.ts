import type { INodeProperties } from 'n8n-workflow';
import { EVENTS } from '../engine/events.ts';

/** The fields of both triggers: the events, and their session. */
export const EVENT_PROPERTIES: INodeProperties[] = [
  {
    displayName: 'Events',
    name: 'events',
    type: 'multiOptions',
    required: true,
    default: ['message'],
    options: EVENTS.map(([value, description]) => ({ name: value, value, description })),
    description: 'What starts the workflow',
  },
  {
    displayName: 'Session',
    name: 'session',
    type: 'string',
    default: '',
    description: "The ID of the session, ses_…; a session's key knows its own",
  },
];
