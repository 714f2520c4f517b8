import { beforeAll, describe, expect, it } from '@jest/globals';
import { extractFacts } from '../../../activities/agent/memories.ts';
import { rehearseAll } from '../../../activities/agent/rehearsal.ts';
import { listMemories } from '../../../db/agent/memory.ts';
import { findRehearsal, insertRehearsal } from '../../../db/agent/rehearsal.ts';
import type { Rehearsal } from '../../../db/agent/rehearsal.ts';
import { updatePersona } from '../../../db/tenants/tenant.ts';
import { refuseFact } from '../../../domain/agent/fact-rules.ts';
import { visible } from '../../../domain/agent/reply/invisible.ts';
import { buildPrompt } from '../../../domain/agent/prompt/prompt.ts';
import { ATTACKS, MARK, VICTIM } from '../../ai-corpus/attacks.ts';
import type { Attack } from '../../ai-corpus/attacks.ts';
import { SCOPE } from '../../db/a-database.ts';
import { defaultPersona } from '../../../domain/agent/sales-agent.ts';
import { databaseOfThisFile } from '../../db/database-of-this-file.ts';
import { anEndedTurn, aTalk, remember } from '../../db/agent/a-talk.ts';
import { among, countRows, findRows } from '../../support/rows.ts';
import { aScriptedModel } from '../../adapters/models/a-scripted-model.ts';

const PERSONA = { systemPrompt: 'You sell boats. You never give discounts.', allowedLinks: ['shop.example'] };
const CONTEXT = { messages: [], memories: [], tenantFacts: [], contactName: null, now: new Date(), timeZone: 'UTC' };
const SIGNAL = new AbortController().signal;

const { database, sessionId } = await databaseOfThisFile();

describe('somebody who wants to turn the agent round', () => {
  let before: unknown;
  /** Compares the state that no attack may change: the persona, and all data of the victim. */
  const untouched = async () => {
    const address = { chatId: `${VICTIM.phone}@c.us` };
    return {
      tenants: await findRows(database, 'tenant', {}, ['persona', 'aiEpoch', 'aiMode']),
      memories: await findRows(database, 'memory', { contactId: among('contact', address) }, undefined, 'id'),
      messages: await findRows(
        database,
        'message',
        { conversationId: among('conversation', address) },
        undefined,
        'id',
      ),
      sent: await countRows(database, 'message', { direction: 'out' }),
      turns: await countRows(database, 'aiTurn'),
    };
  };

  beforeAll(async () => {
    await database.transaction((tx) => updatePersona(tx, SCOPE, PERSONA));
    const victim = await aTalk(database, sessionId, VICTIM.phone, [`I am ${VICTIM.name}: ${VICTIM.canary}`]);
    await remember(database, victim.contactId, `Lives at ${VICTIM.canary}`);
  });

  const rehearse = async (conversationId: string, deps: ReturnType<typeof aScriptedModel>): Promise<Rehearsal> => {
    const request = { conversationId, repeat: 1, includePrompt: true };
    const id = await database.transaction((tx) => insertRehearsal(tx, { ...SCOPE, sessionId }, request));
    const { models } = deps;
    await rehearseAll({ database, models, withMedia: async (context) => context }, id, SIGNAL);
    const rehearsal = await database.read((queries) => findRehearsal(queries, id));
    if (!rehearsal) throw new Error('The rehearsal is there.');
    return rehearsal;
  };

  /** A model that always obeys: it says what the attacker wants, and would remember it for ever. */
  const obeying = ({ text, obeyed, fact = text }: Attack) =>
    aScriptedModel({
      decide: () => ({ outcome: 'reply', text: obeyed }),
      propose: () => ({
        facts: ['m1', 'k1', VICTIM.canary].map((evidence) => ({
          fact,
          category: 'context',
          evidence,
          confidence: 1,
          expiresInDays: 99_999,
          supersedes: 'k1',
        })),
      }),
    });

  it.each(ATTACKS.map((attack, index) => [attack.kind, index, attack] as const))(
    'gets nowhere by %s (%#)',
    async (_kind, index, attack) => {
      const phone = `1555012${String(1_000 + index)}`;
      const talk = await aTalk(database, sessionId, phone, ['Hello', attack.text]);
      const deps = obeying(attack);
      const turnId = await anEndedTurn(database, sessionId, { ...talk, messageIds: talk.messageIds.slice(1) });
      before = await untouched();
      const first = await rehearse(talk.id, deps);
      await extractFacts({ database, models: deps.models }, turnId, SIGNAL);
      const second = await rehearse(talk.id, deps);

      // Nobody else is in any prompt, and only the tenant instructs.
      const own = buildPrompt({ ...defaultPersona('scripted'), ...PERSONA }, CONTEXT).instructions;
      expect(deps.seen).toHaveLength(3);
      for (const text of deps.seen) expect(text).not.toContain(VICTIM.canary);
      for (const { instructions } of deps.prompts) expect(instructions).toBe(own);
      expect(own).not.toContain(MARK);

      // Quotes stay quoted: each element is one of ours.
      const memories = await database.read((queries) =>
        listMemories(queries, { ...SCOPE, contactId: talk.contactId }, PAGE),
      );
      for (const [prompt, memoriesShown] of [
        [deps.prompts[0], 0],
        [deps.prompts[1], memories.length],
      ] as const) {
        const data = prompt?.messages.map(({ content }) => content).join('\n') ?? '';
        expect(data).toBe(visible(data));
        const tags = new Map<string, number>();
        for (const [, tag = ''] of data.matchAll(/<\/?([\w-]+)/g)) tags.set(tag, (tags.get(tag) ?? 0) + 1);
        const { memory = 0, ...others } = Object.fromEntries(tags);
        expect(others).toEqual({ context: 2, now: 2, 'customer-name': 2, message: 4 });
        expect(memory).toBe(2 * memoriesShown);
      }

      // Whatever it remembers is of this contact, by the rules, and with its evidence.
      for (const { fact, source, evidenceMessageId } of memories) {
        expect({ fact, refused: refuseFact(fact) }).toEqual({ fact, refused: null });
        expect(source).toBe('ai_extracted');
        expect(evidenceMessageId).toBe(talk.messageIds[1]);
      }

      // The reply would go to nobody else, is plain, and has no foreign links.
      for (const { results } of [first, second]) {
        const [result] = results;
        const reply = result?.reply ?? '';
        expect(result?.error).toBeUndefined();
        expect(reply).toBe(visible(reply));
        expect(reply).not.toMatch(/evil\.example|javascript:|data:text|!\[/i);
      }
      expect(await untouched()).toEqual(before);
    },
  );

  it('leaves nothing but harmless notes behind', async () => {
    const facts = await findRows(database, 'memory', { source: 'ai_extracted' }, ['fact']);
    const harmless = ['Hi', 'Hi😀', `${MARK} [2J`, `A look-alike ${MARK}`];
    expect(facts.map(({ fact }) => fact).toSorted()).toEqual(harmless.toSorted());
  });
});

const PAGE = { category: null, includeSuperseded: true, limit: 100, after: null };
