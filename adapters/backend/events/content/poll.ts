import { z } from 'zod';
import type { Poll } from '../../../../domain/network/message-content.ts';
import { contentIn } from './inner.ts';
import type { RawMessage } from '../raw-message.ts';
import { Numeric, Text, Words } from '../raw.ts';

const Described = z.object({
  name: Text,
  options: z.array(z.object({ optionName: Words })).catch([]),
  selectableOptionsCount: Numeric,
});
const NAME = /^pollCreationMessage(V\d)?$/;

/** Reads what a poll asks. WEBJS has its own names; the others pass on what the network says. */
export function pollOf(raw: RawMessage): Poll {
  const [, content] = Object.entries(contentIn(raw) ?? {}).find(([name]) => NAME.test(name)) ?? [];
  const described = Described.safeParse(content).data;
  const { pollName = null, pollOptions = null, pollSelectableOptionsCount = null } = raw._data ?? {};
  // One answer is what 1 says; 0 bounds nothing.
  const most = described?.selectableOptionsCount ?? pollSelectableOptionsCount ?? 0;
  return {
    name: Text.parse(described?.name ?? pollName ?? raw.body) ?? '',
    options: described?.options.map(({ optionName }) => optionName) ?? pollOptions?.map(({ name }) => name) ?? [],
    multipleAnswers: most !== 1,
  };
}
