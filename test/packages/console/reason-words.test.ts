import { describe, expect, it } from '@jest/globals';
import { reasonOf, stepOf, waitOf } from '../../../packages/console/pages/automations/words.ts';
import { capabilityName, reasonText, whyNot } from '../../../packages/console/pages/connect/words.ts';
import { actionIs, classIs, disabledIs } from '../../../packages/console/pages/events/words.ts';
import { noteText, turnTitle } from '../../../packages/console/pages/inbox/words.ts';
import { actionReason, heldText } from '../../../packages/console/pages/message/message-history.ts';
import { EXECUTION_REASON_TEXTS } from '../../../domain/automations/execution.ts';
import { UNFINISHED_TEXTS } from '../../../domain/automations/dry-run/result.ts';
import { SILENCE_TEXTS, TURN_OUTCOMES } from '../../../domain/agent/sales-agent.ts';
import { BACKEND_TROUBLES } from '../../../domain/backend-server.ts';
import { BACKEND_LOST } from '../../../domain/sessions/session-error.ts';
import { CAPABILITY_NAMES } from '../../../domain/network/capabilities.ts';
import { ACTION_REASONS } from '../../../domain/sending/message-action.ts';
import { PLAN_RULES } from '../../../domain/sending/plan.ts';
import { RESTARTS_USED_UP, SESSION_REFUSALS } from '../../../domain/sessions/session-error.ts';
import { CHANGE_REASON_TEXTS } from '../../../domain/sessions/change.ts';
import { ATTEMPT_CLASS_TEXTS } from '../../../domain/webhooks/record.ts';
import type { Turn } from '../../../packages/typescript/src/index.ts';
import { aTurn } from './a-turn.ts';

/** A sentence has a space in it, and no code does. */
const bare = (codes: readonly string[], wordsOf: (code: string) => string | null | undefined): string[] =>
  codes.filter((code) => !(wordsOf(code) ?? '').includes(' '));

describe('every reason code that the console shows has a sentence', () => {
  it('of runs of automations, and of those that are tried', () => {
    expect(bare([...Object.keys(EXECUTION_REASON_TEXTS), ...Object.keys(UNFINISHED_TEXTS)], reasonOf)).toEqual([]);
    expect(bare(['reply', 'ack', 'time', 'turn'], waitOf)).toEqual([]);
  });

  it('of accounts', () => {
    expect(bare(Object.keys(CHANGE_REASON_TEXTS), reasonText)).toEqual([]);
    const errors = [...Object.values(SESSION_REFUSALS), ...BACKEND_TROUBLES, RESTARTS_USED_UP, BACKEND_LOST];
    expect(errors.filter((code) => whyNot(code)?.includes(code) !== false)).toEqual([]);
    expect(CAPABILITY_NAMES.filter((name) => capabilityName(name) === name)).toEqual([]);
  });

  it('of messages, and of what is done to them', () => {
    expect(PLAN_RULES.filter((rule) => !heldText(rule).endsWith('.'))).toEqual([]);
    expect(bare(ACTION_REASONS, actionReason)).toEqual([]);
  });

  it('of turns of the agent', () => {
    const codes = Object.keys(SILENCE_TEXTS);
    const titleOf = (code: string): string => {
      const silence = { code, text: '' };
      return isSilence(silence) ? turnTitle(aTurn({ silence })) : code;
    };
    expect(codes.filter((code) => !/^The agent said nothing: .* .*/.test(titleOf(code)))).toEqual([]);
    expect(TURN_OUTCOMES.filter((outcome) => !turnTitle(aTurn({ outcome })).startsWith('The agent '))).toEqual([]);
    const notes = ['characters_removed', 'markdown_removed', 'link_removed', 'shortened', 'messages_left_out'];
    expect(bare(notes, noteText)).toEqual([]);
  });

  it('of deliveries and endpoints', () => {
    expect(bare(Object.keys(ATTEMPT_CLASS_TEXTS), classIs)).toEqual([]);
    expect(bare(['gone', 'failing_for_days', 'by_request'], disabledIs)).toEqual([]);
    expect(['create', 'rotate_secret', 'disabled', 'of_tomorrow'].map(actionIs)).toEqual([
      'Created',
      'New secret',
      'Switched off',
      'Of tomorrow',
    ]);
  });

  it('and a code of a newer engine stays as it is', () => {
    expect([reasonOf('of_tomorrow'), classIs('of_tomorrow'), stepOf('ofTomorrow')]).toEqual([
      'of_tomorrow',
      'of_tomorrow',
      'Of tomorrow',
    ]);
  });
});

function isSilence(silence: { code: string; text: string }): silence is NonNullable<Turn['silence']> {
  return Object.hasOwn(SILENCE_TEXTS, silence.code);
}
