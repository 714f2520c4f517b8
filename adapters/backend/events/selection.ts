import { z } from 'zod';
import { jsonOf } from '../http/answer.ts';
import { contentIn } from './content/inner.ts';
import type { RawMessage } from './raw-message.ts';
import { Text, Words } from './raw.ts';
import { wordsOf } from './spelling/read.ts';

/** The option that a contact has chosen by pressing a button or a list's row. */
export interface Selection {
  id: string;
  text: string;
  /** The message that offered the choice; null when the engine does not say. */
  networkId: string | null;
}

const Context = z.object({ stanzaId: Text, stanzaID: Text }).nullable().catch(null);

const ButtonsResponse = z.object({
  selectedButtonId: Text,
  selectedButtonID: Text,
  selectedDisplayText: Text,
  // GOWS wraps the text of the button in this object, as the network's own description of the message does.
  Response: z.object({ SelectedDisplayText: Text }).nullable().catch(null),
  contextInfo: Context,
});

const TemplateReply = z.object({
  selectedId: Text,
  selectedID: Text,
  selectedDisplayText: Text,
  contextInfo: Context,
});

const ListResponse = z.object({
  title: Text,
  singleSelectReply: z.object({ selectedRowId: Text, selectedRowID: Text }).nullable().catch(null),
  contextInfo: Context,
});

const NativeFlow = z.object({ paramsJson: Text, paramsJSON: Text }).nullable().catch(null);

const InteractiveResponse = z.object({
  body: z.object({ text: Text }).nullable().catch(null),
  nativeFlowResponseMessage: NativeFlow,
  InteractiveResponseMessage: z.object({ NativeFlowResponseMessage: NativeFlow }).nullable().catch(null),
  contextInfo: Context,
});

const FlowParameters = z.object({ id: Words });

/** Reads the option that a message chooses; null when it chooses none. */
export function selectionOf(raw: RawMessage): Selection | null {
  const content = contentIn(raw) ?? {};
  const buttons = answerIn(ButtonsResponse, content['buttonsResponseMessage']);
  if (buttons) {
    const text = buttons.selectedDisplayText ?? buttons.Response?.SelectedDisplayText ?? null;
    return selection(buttons.selectedButtonId ?? buttons.selectedButtonID, text, buttons.contextInfo, raw);
  }
  const template = answerIn(TemplateReply, content['templateButtonReplyMessage']);
  if (template) {
    return selection(
      template.selectedId ?? template.selectedID,
      template.selectedDisplayText,
      template.contextInfo,
      raw,
    );
  }
  const list = answerIn(ListResponse, content['listResponseMessage']);
  if (list) {
    const { selectedRowId = null, selectedRowID = null } = list.singleSelectReply ?? {};
    return selection(selectedRowId ?? selectedRowID, list.title, list.contextInfo, raw);
  }
  const interactive = answerIn(InteractiveResponse, content['interactiveResponseMessage']);
  if (interactive) {
    const flow =
      interactive.nativeFlowResponseMessage ?? interactive.InteractiveResponseMessage?.NativeFlowResponseMessage;
    const parameters = FlowParameters.safeParse(jsonOf(Buffer.from(flow?.paramsJson ?? flow?.paramsJSON ?? '')));
    return selection(parameters.data?.id ?? null, interactive.body?.text ?? null, interactive.contextInfo, raw);
  }
  return selection(wordsOf(raw, 'selection'), raw.body ? null : wordsOf(raw, 'wordsOfModel'), null, raw);
}

/** Most messages have none, and a schema that refuses nothing costs more than one that reads an answer. */
function answerIn<T>(schema: z.ZodType<T>, content: unknown): T | undefined {
  return content === undefined ? undefined : schema.safeParse(content).data;
}

function selection(
  id: string | null,
  text: string | null,
  context: z.output<typeof Context>,
  raw: RawMessage,
): Selection | null {
  if (id === null || id === '') return null;
  return { id, text: text ?? raw.body ?? id, networkId: context?.stanzaId ?? context?.stanzaID ?? null };
}
