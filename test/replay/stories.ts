import { AGENT_STORIES } from './agent-stories.ts';
import { AUTOMATION_STORIES } from './automation-stories.ts';
import type { Story } from './a-story-scene.ts';
import { ERASURE_STORIES } from './erasure-stories.ts';
import { ACTION_STORIES } from './action-stories.ts';
import { FLOW_STORIES } from './flow-stories.ts';
import { MEDIA_STORIES } from './media-stories.ts';
import { MESSAGE_STORIES } from './message-stories.ts';
import { NEXT_RUN_STORIES } from './next-run-stories.ts';
import { PHONE_STORIES } from './phone-stories.ts';
import { RECONCILE_STORIES } from './reconcile-stories.ts';
import { SESSION_STORIES } from './session-stories.ts';
import { SLICE_STORIES } from './slice-stories.ts';
import { WEBHOOK_STORIES } from './webhook-stories.ts';

/** The recorder's stories, one history each. */
export const STORIES: readonly Story[] = [
  ...NEXT_RUN_STORIES,
  ...MESSAGE_STORIES,
  ...ACTION_STORIES,
  ...MEDIA_STORIES,
  ...SLICE_STORIES,
  ...AGENT_STORIES,
  ...WEBHOOK_STORIES,
  ...SESSION_STORIES,
  ...PHONE_STORIES,
  ...ERASURE_STORIES,
  ...AUTOMATION_STORIES,
  ...FLOW_STORIES,
  ...RECONCILE_STORIES,
];
