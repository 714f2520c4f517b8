import { approximateTokens, PROMPT_TOKENS, shortened } from './limits.ts';
import { visible } from '../reply/invisible.ts';
import { instructionsFor } from './instructions.ts';
import { inWords } from './content-text.ts';
import type { ContextMemory, ContextMessage, Prompt, PromptContext, PromptMessage, PromptOptions } from './context.ts';
import { AI_EXTRACTED } from '../memory.ts';
import { inLine, quoted } from './quoted.ts';
import type { Persona } from '../sales-agent.ts';

/** The most characters of one message, fact or memory. */
const MESSAGE_CHARACTERS = 4_000;
const FACT_CHARACTERS = 300;
/** Memories and facts get at most this share of the prompt, so that the conversation keeps its place. */
const FACTS_SHARE = 0.25;
const MEDIA_TOKENS = 1_000;

/**
 * Builds a prompt, for the agent and for the API alike. Only the tenant instructs. The words of contacts and the facts
 * about them are quoted data in the messages and never stand in the instructions.
 */
export function buildPrompt(persona: Persona, context: PromptContext, options: PromptOptions = {}): Prompt {
  const instructions = instructionsFor(persona);
  const budget = (options.maxPromptTokens ?? PROMPT_TOKENS) - approximateTokens(instructions);
  const { text: record, memoryIds, tenantFactIds } = recordOf(context, Math.max(0, budget * FACTS_SHARE));
  const { said, messageIds } = newestThatFit(context, budget - approximateTokens(record) - 2);
  const messages = inTurns([{ role: 'user', content: record, media: [] }, ...said]);
  return { instructions, messages, memoryIds, tenantFactIds, messageIds };
}

/** Writes a prompt as one text, for dashboards that ask a model themselves. */
export function promptText({ instructions, messages }: Prompt): string {
  const said = messages.map(({ role, content }) => (role === 'user' ? content : quoted('your-message', {}, content)));
  return [instructions, ...said].join('\n\n');
}

/** Writes down the facts and memories that fit into the budget, the first ones first. */
function recordOf(
  context: PromptContext,
  budget: number,
): { text: string } & Pick<Prompt, 'memoryIds' | 'tenantFactIds'> {
  const { now, timeZone, contactName, tenantFacts, memories, lateByMs } = context;
  const lines = [`<now>${localTime(now, timeZone, { weekday: 'long' })} (${timeZone})</now>`];
  if (lateByMs !== undefined) lines.push(lateLine(lateByMs));
  if (contactName !== null) lines.push(quoted('customer-name', {}, inLine(contactName)));
  let left = budget;
  const taken = (line: string): boolean => {
    const cost = approximateTokens(line);
    if (cost > left) return false;
    left -= cost;
    lines.push(line);
    return true;
  };
  const facts = tenantFacts.filter(({ fact }) => taken(quoted('business-fact', {}, shortened(fact, FACT_CHARACTERS))));
  const shown = memories.filter((memory) => taken(memoryLine(memory)));
  return {
    text: `<context>\n${lines.join('\n')}\n</context>`,
    memoryIds: shown.map(({ id }) => id),
    tenantFactIds: facts.map(({ id }) => id),
  };
}

function lateLine(lateByMs: number): string {
  const minutes = Math.round(lateByMs / 60_000);
  return `<delay minutes="${minutes}">The customer wrote ${minutes} minutes ago and has had no answer since. The delay is ours.</delay>`;
}

function memoryLine({ fact, category, source, confidence }: ContextMemory): string {
  const attributes = {
    category,
    source,
    ...(confidence === null ? {} : { confidence: String(confidence) }),
    // The attribute tells the model that the contact claims this and nobody of the business has said it.
    ...(category === 'agreement' && source === AI_EXTRACTED ? { 'claimed-by': 'customer' } : {}),
  };
  return quoted('memory', attributes, shortened(fact, FACT_CHARACTERS));
}

/** Takes the newest messages that fit. The last one is always taken, because the prompt is about that message. */
function newestThatFit(
  { messages, timeZone }: PromptContext,
  budget: number,
): { said: PromptMessage[]; messageIds: string[] } {
  const fitting: PromptMessage[] = [];
  const messageIds: string[] = [];
  let left = budget;
  for (const message of messages.toReversed()) {
    const said = asSaid(message, timeZone);
    left -= approximateTokens(said.content) + 1 + said.media.length * MEDIA_TOKENS;
    if (left < 0 && fitting.length > 0) break;
    fitting.unshift(said);
    messageIds.unshift(message.id);
  }
  return { said: fitting, messageIds };
}

function asSaid(message: ContextMessage, timeZone: string): PromptMessage {
  const words = shortened(inWords(message), MESSAGE_CHARACTERS);
  if (message.direction === 'out') return { role: 'assistant', content: visible(words), media: [] };
  const { bytes, mimeType } = message.media ?? {};
  return {
    role: 'user',
    content: quoted('message', { from: 'customer', at: localTime(message.at, timeZone) }, words),
    media: bytes === undefined || !mimeType ? [] : [{ mimeType, bytes }],
  };
}

/** Lets user and assistant speak in turn, the user first and last, because some models take no other order. */
function inTurns(messages: readonly PromptMessage[]): PromptMessage[] {
  const turns: PromptMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.content === '') continue;
    if (last?.role === message.role) {
      last.content = `${last.content}\n${message.content}`;
      last.media.push(...message.media);
    } else turns.push({ ...message, media: [...message.media] });
  }
  if (turns.at(-1)?.role === 'assistant') {
    turns.push({ role: 'user', content: '<context>The customer has not written since.</context>', media: [] });
  }
  return turns;
}

const TIME_FORMAT = { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' } as const;

/** Writes the time in the tenant's zone; an unknown zone counts as UTC. */
function localTime(at: Date, timeZone: string, more: { weekday?: 'long' } = {}): string {
  try {
    return at.toLocaleString('en-GB', { ...TIME_FORMAT, ...more, timeZone });
  } catch {
    return at.toLocaleString('en-GB', { ...TIME_FORMAT, ...more, timeZone: 'UTC' });
  }
}
