import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { z } from 'zod';
import { AProvider, says, saysMessage } from './a-provider.ts';
import { askers, compatible, prompt } from './a-model-scene.ts';

const SECRET = 'The owner told me never to go below 200 euros.';
const json = (text: string, outcome = 'reply', reason = '') => JSON.stringify({ outcome, text, reason });
const NO_ANSWER = { code: 'unreadable_answer' };

/** Each family as its opening and its closing mark. */
const FAMILIES: readonly (readonly [string, string])[] = [
  ...['think', 'thinking', 'thought', 'thoughts', 'reasoning', 'reasoning_content', 'reflection', 'scratchpad'].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ['<seed:think>', '</seed:think>'],
  ['<thinking>', '</thinking>'],
  ['<think time="3">', '</think >'],
  ['< Think >', '< / THINK >'],
  ['<inner_monologue>', '</inner_monologue>'],
  ['<longcat_think>', '</longcat_think>'],
  ['<tool_call>', '</tool_call>'],
  ['[THINK]', '[/THINK]'],
  ['[think]', '[/Think]'],
  ['◁think▷', '◁/think▷'],
  ['＜think＞', '＜/think＞'],
  ['&lt;think&gt;', '&lt;/think&gt;'],
  ['\\u003cthink\\u003e', '\\u003c/think\\u003e'],
  ['<th\u200Bink>', '</th\u200Bink>'],
  ['<|begin_of_thought|>', '<|end_of_thought|>'],
  ['<|START_THINKING|>', '<|END_THINKING|>'],
  ['<|think|>', '<|/think|>'],
  ['<｜begin▁of▁thought｜>', '<｜end▁of▁thought｜>'],
  ['<unused94>thought\n', '<unused95>'],
  ['<|channel>thought\n', '<channel|>'],
  ['<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'],
  [
    '<|channel|>commentary to=tool<|message|>',
    '<|call|><|start|>assistant<|channel|>final <|constrain|>json<|message|>',
  ],
];
/** Families whose closing mark stands in honest text, too, so that it ends nothing alone. */
const PAIRED: readonly (readonly [string, string])[] = [
  ['<details type="reasoning" done="true">\n', '\n</details>\n'],
  ['```thinking\n', '\n```\n'],
  ['<!-- ', ' -->'],
  ['Thought: ', '\nFinal Answer: '],
  ['**Reasoning:** ', '\n**Answer:** '],
  ['Here is my thought process:\n', '\nHere is my response:\n'],
  ['analysis', 'assistantfinal'],
];
const CONTROLS = [
  'Hello! It costs 300 euros.',
  'Please handoff the parcel at the door.',
  'I think it costs 300 euros, and I thought of you.',
  'Silence is golden, and so is our watch.',
  'Handoff is at 5 pm, see https://example.com/a?b=1.',
  'You get silence and comfort: our quiet boats.',
  'We have two boats (4.5 m < 6 m) & more [both red]. I <3 boats!',
  'Outcome: we won the case.',
  'Two lines:\n- one\n- two',
  'Hand over: Friday at 5.',
  '【重要】 2 boats are left.',
  'The text is "so" and the reason is simple: {red}.',
  "It's a reply, isn't it?",
  'No answer is wrong here.',
  'Final answer: 300 euros.',
  'I called the supplier.\nNo response.',
  'Choose [no answer] or [yes].',
  'We hand over the boat.\nHand over: Friday',
];

describe('the marks of models', () => {
  let provider: AProvider;
  let ask: ReturnType<typeof askers>['ask'];
  let modelsOf: ReturnType<typeof askers>['modelsOf'];
  beforeAll(async () => {
    provider = await AProvider.start();
    ({ ask, modelsOf } = askers(provider));
  });
  afterAll(() => provider.close());
  const decisionOf = async (content: string, finish = 'stop') => {
    provider.behave(says(content, { finish }));
    return (await ask(modelsOf())).decision;
  };
  const hello = { outcome: 'reply', text: 'Hello!' };

  it.each([...FAMILIES, ...PAIRED])('around thoughts, %s … %s, keep them from the customer', async (opens, ends) => {
    const thoughts = `${opens}${SECRET}${ends}`;
    expect(await decisionOf(`${thoughts}Hello!`)).toEqual(hello);
    expect(await decisionOf(`${thoughts}\n${json('Hello!')}`)).toEqual(hello);
    expect(
      await decisionOf(`${opens}${SECRET} {"outcome":"reply","text":"${SECRET}"} {hm}${ends}${json('Hello!')}`),
    ).toEqual(hello);
    expect(await decisionOf(json(`${thoughts}Hello!`))).toEqual(hello);
    expect(await decisionOf(`Here: ${json(`${thoughts}Hello!`, 'reply', thoughts)} Good luck!`)).toEqual(hello);
    expect(await decisionOf(json('One moment.', 'handoff', `${thoughts}wants a person`))).toEqual({
      outcome: 'handoff',
      text: 'One moment.',
      reason: 'wants a person',
    });
    for (const finish of ['stop', 'length']) {
      await expect(decisionOf(thoughts, finish)).rejects.toMatchObject(NO_ANSWER);
      await expect(decisionOf(json(thoughts), finish)).rejects.toMatchObject(NO_ANSWER);
      await expect(decisionOf(`${opens}${SECRET} Let me`, finish)).rejects.toMatchObject(NO_ANSWER);
      await expect(decisionOf(json(`${opens}${SECRET} Let me`), finish)).rejects.toMatchObject(NO_ANSWER);
    }
  });

  it.each(FAMILIES)(
    'that only end thoughts, as %s … %s of a prompt, keep them from the customer',
    async (_opens, ends) => {
      expect(await decisionOf(`${SECRET}\n${ends}\n\nHello!`)).toEqual(hello);
      expect(await decisionOf(`I must answer {"outcome": ...}.\n${ends}\n\n${json('Hello!')}`)).toEqual(hello);
      expect(await decisionOf(`${json(SECRET)}\n${ends}\n${json('Hello!')}`)).toEqual(hello);
      await expect(decisionOf(`${SECRET}\n${ends}`)).rejects.toMatchObject(NO_ANSWER);
    },
  );

  it.each([
    ['several thoughts', `<think>a</think><think>${SECRET}</think>Hello!`],
    ['words before thoughts', `Sure!\n<think>${SECRET}</think>Hello!`],
    ['thoughts inside thoughts', `<think>a<think>${SECRET}</think>${SECRET}</think>Hello!`],
    ['thoughts of two families', `<thinking>a<reflection>${SECRET}</reflection>${SECRET}</thinking>Hello!`],
    ['an answer in its mark', `${SECRET}<answer>Hello!</answer> ${SECRET}`],
    [
      'a solution in its mark',
      `<|begin_of_thought|>${SECRET}<|end_of_thought|><|begin_of_solution|>Hello!<|end_of_solution|>`,
    ],
    ['the form inside its text', json(json('Hello!'))],
    ['a draft before the form', `First ${json(SECRET)} but then ${json('Hello!')}`],
    ['the turns of a template', `<|im_start|>assistant\nHello!<|im_end|>\n<|im_start|>user\n${SECRET}<|im_end|>`],
    ['the turns of another template', `Hello!<|eot_id|><|start_header_id|>user<|end_header_id|>\n\n${SECRET}`],
    ['the turns of a third template', `Hello!<end_of_turn>\n<start_of_turn>user\n${SECRET}`],
    ...['<|im_end|>', '</s>', '<|endoftext|>', '<｜end▁of▁sentence｜>', '<eos>', '<|return|>', '<|im_e', '<pad>'].map(
      (token) => [`the token ${token}`, `Hello!${token}`],
    ),
    ...[
      '【4:0†source】',
      ' 【4:0†prices.pdf】',
      '【12†L1-L3】',
      ':contentReference[oaicite:0]{index=0}',
      '[^1^]',
      '[cite: 1, 2]',
      '\uE200cite\uE202turn0search0\uE201',
    ].map((source) => [`the source ${source}`, `Hello${source}!`]),
  ])('in %s leave the answer alone', async (_what, content) => {
    expect(await decisionOf(content)).toEqual(hello);
    if (!content.startsWith('{')) expect(await decisionOf(json(content))).toMatchObject({ outcome: 'reply' });
  });

  it.each([
    ['an outer thought is open', `<thinking>a<reflection>b</reflection>${SECRET}`],
    ['a nested thought is open', `<think>a<think>b</think>${SECRET}`],
    ['a thought begins after the answer', `</think>Hello!<think>${SECRET}`],
    ['a mark is cut off', `${SECRET}<think`],
    ['a mark has no bracket', `<think\n${SECRET} <b>x</b>`],
    ['only the turn of another is there', `<|im_start|>user\n${SECRET}`],
    ['only tokens are there', '<|im_start|>assistant<|im_end|>'],
    ['only a source is there', '【4:0†source】'],
    ['the reason of a cut form is thoughts', `{"outcome":"reply","text":"","reason":"<think>a</think>${SECRET}`],
    ['null is said', 'null'],
    ['the word for a reply is said', 'reply'],
  ])('are no answer when %s', async (_what, content) => {
    await expect(decisionOf(content)).rejects.toMatchObject(NO_ANSWER);
    await expect(decisionOf(content, 'length')).rejects.toMatchObject(NO_ANSWER);
  });

  it('are known of a model that begins its thoughts in the prompt, also where the end is cut off', async () => {
    const models = modelsOf();
    provider.behave(says(`${SECRET}</think>Hello!`), says(`${SECRET} Let`, { finish: 'length' }), says('Hello!'));
    expect((await ask(models)).decision).toEqual(hello);
    await expect(ask(models)).rejects.toMatchObject(NO_ANSWER);
    expect((await ask(models)).decision).toEqual(hello);
    const other = modelsOf([compatible, { ...compatible, id: 'other' }]);
    provider.behave(says('Two boats. The fir', { finish: 'length' }));
    expect((await ask(other, { model: 'other' })).decision).toEqual({ outcome: 'reply', text: 'Two boats.' });
  });

  it.each(['reasoning_content', 'reasoning', 'thinking', 'reasoning_details'])(
    'are not needed for thoughts in %s, which nobody reads',
    async (field) => {
      provider.behave(saysMessage({ content: 'Hello!', [field]: SECRET }));
      expect((await ask()).decision).toEqual(hello);
      provider.behave(saysMessage({ content: null, [field]: SECRET }));
      await expect(ask()).rejects.toMatchObject(NO_ANSWER);
      const inForm = JSON.stringify({ [field]: SECRET, outcome: 'reply', text: 'Hello!', reason: '' });
      expect(await decisionOf(inForm)).toEqual(hello);
      await expect(decisionOf(JSON.stringify({ [field]: SECRET }))).rejects.toMatchObject(NO_ANSWER);
    },
  );

  describe('around a bare decision', () => {
    const WAYS = [
      (word: string) => word,
      (word: string) => word.toUpperCase(),
      (word: string) => `${word}.`,
      (word: string) => `[${word}]`,
      (word: string) => `**${word}**`,
      (word: string) => `"${word}"`,
      (word: string) => `\`${word}\``,
      (word: string) => `<${word}/>`,
      (word: string) => `(${word})`,
      (word: string) => `Outcome: ${word}`,
      (word: string) => `**Outcome:** ${word}.`,
      (word: string) => `outcome = "${word}"`,
      (word: string) => `My decision is ${word}`,
      (word: string) => `\`\`\`\n${word}\n\`\`\``,
      (word: string) => `<think>${SECRET}</think>${word}<|im_end|>`,
      (word: string) => `${word}\nThe owner decides on discounts.`,
      (word: string) => `The owner decides on discounts.\n[${word}]`,
      (word: string) => `The owner decides on discounts. [${word}]`,
      (word: string) => `[${word}: the owner decides]`,
      (word: string) => `outcome: ${word}\nreason: the owner decides\ntext:`,
      (word: string) => `["${word}"]`,
      (word: string) => `{"outcome":"${word}"}`,
      (word: string) => `{"outcome":"${word}.","text":""}`,
      (word: string) => json(word),
      (word: string) => json(`[${word}]`),
      (word: string) => json('', `**${word}**`),
      (word: string) => json(json('', word)),
    ];
    const all = (words: string[]) => words.flatMap((word) => WAYS.map((way) => way(word)));
    it.each(all(['silence', 'no_reply', 'no reply needed']))('that nothing is said: %s', async (content) => {
      expect(await decisionOf(content)).toEqual({ outcome: 'silence' });
    });
    it.each(all(['handoff', 'hand-off', 'hand off', 'hand_off']))('that a person takes over: %s', async (content) => {
      expect(await decisionOf(content)).toMatchObject({ outcome: 'handoff', text: null, reason: expect.any(String) });
    });
    it.each([
      ['handoff: wants a person', { outcome: 'handoff', reason: 'wants a person', text: null }],
      ['Handoff (wants a person)', { outcome: 'handoff', reason: '(wants a person)', text: null }],
      ['NO_REPLY', { outcome: 'silence' }],
      ['[no reply needed]', { outcome: 'silence' }],
      ['outcome: reply\ntext: Hello!\nYes.', { outcome: 'reply', text: 'Hello!\nYes.' }],
      [
        'Outcome: handoff\nText: One moment.\nReason: wants a person',
        { outcome: 'handoff', reason: 'wants a person', text: 'One moment.' },
      ],
      [json('handoff', 'handoff', 'wants a person'), { outcome: 'handoff', reason: 'wants a person', text: null }],
    ])('with more words: %s', async (content, decision) => expect(await decisionOf(content)).toEqual(decision));
  });

  it.each([
    ['raw line breaks', '{"outcome":"reply","text":"Hello!\nTwo boats.","reason":""}', 'Hello!\nTwo boats.'],
    ['single quotes', "{'outcome': 'reply', 'text': 'It\\'s red.', 'reason': ''}", "It's red."],
    [
      'single quotes and apostrophes',
      "{'outcome': 'reply', 'text': 'It's red, isn't it?', 'reason': ''}",
      "It's red, isn't it?",
    ],
    ['both kinds of quotes', `{'outcome': 'reply', 'text': "It's red.", 'reason': None}`, "It's red."],
    ['typographic quotes', '{“outcome”: “reply”, “text”: “Hello!”, “reason”: “”}', 'Hello!'],
    ['quotes inside quotes', '{"outcome":"reply","text":"The "Aurora" is red.","reason":""}', 'The "Aurora" is red.'],
    ['names without quotes', '{outcome: "reply", text: "Hello!", reason: ""}', 'Hello!'],
    ['one comma too many', '{"outcome":"reply","text":"Hello!","reason":"",}', 'Hello!'],
    ['one comma too few', '{"outcome":"reply" "text":"Hello!"\n"reason":""}', 'Hello!'],
    ['no end', '{"outcome":"reply","text":"Hello!","reason":""', 'Hello!'],
    ['two objects', `${json('Hello!')}${json('Hello!')}`, 'Hello!'],
    ['two objects, and the second is made up', `${json('Hello!')}\n${json('', 'silence')}`, 'Hello!'],
    ['a list around it', `[${json('Hello!')}]`, 'Hello!'],
    ['an object around it', `{"answer":${json('Hello!')}}`, 'Hello!'],
    ['thoughts with braces before it', `I take {form} or {a: "b}. ${json('Hello!')}`, 'Hello!'],
    ['an escape', '{"outcome":"reply","text":"Caf\\u00e9 \\ud83d\\ude00\nYes.","reason":""}', 'Café 😀\nYes.'],
  ])('small faults of JSON are repaired: %s', async (_what, content, text) => {
    expect(await decisionOf(content)).toEqual({ outcome: 'reply', text });
  });

  it.each(CONTROLS)('are not seen in a real reply: %s', async (text) => {
    expect(await decisionOf(text)).toEqual({ outcome: 'reply', text });
    expect(await decisionOf(json(text))).toEqual({ outcome: 'reply', text });
  });

  it('never let a thought pass, and never lose a real reply, in any mixture', async () => {
    const family = fc.constantFrom(...FAMILIES);
    const inside = fc.constantFrom(SECRET, `${SECRET} {hm`, `${json(SECRET)}`, `It's "${SECRET}"\n`, '');
    const block = fc.tuple(family, inside).map(([[opens, ends], words]) => `${opens}${words}${ends}`);
    const nested = fc
      .tuple(family, block, inside)
      .map(([[opens, ends], inner, words]) => `${opens}${inner}${words}${ends}`);
    const closed = fc.tuple(family, inside).map(([[, ends], words]) => `${SECRET}${words}${ends}`);
    const open = fc.tuple(family, inside).map(([[opens], words]) => `${opens}${SECRET}${words}`);
    const thoughts = fc.tuple(fc.option(closed, { nil: '' }), fc.array(fc.oneof(block, nested), { maxLength: 3 }));
    const form = fc.constantFrom<(text: string) => string>(
      (text) => text,
      (text) => json(text),
      (text) => `\`\`\`json\n${json(text)}\n\`\`\``,
      (text) => `${json(text)}\n${json(text)}`,
      (text) => `{'outcome': 'reply', 'text': ${JSON.stringify(text)}, 'reason': ''}`,
    );
    const token = fc.constantFrom('', '<|im_end|>', '</s>', '【4:0†source】');
    await fc.assert(
      fc.asyncProperty(
        thoughts,
        thoughts,
        form,
        fc.constantFrom(...CONTROLS),
        token,
        fc.option(open, { nil: '' }),
        fc.constantFrom('stop', 'length'),
        async ([closedBefore, before], [, within], formed, real, end, tail, finish) => {
          const content = `${closedBefore}${before.join('\n')}\n${formed(`${within.join('')}${real}`)}${end}${tail}`;
          const decision = await decisionOf(content, finish).catch((error: unknown) => error);
          expect(JSON.stringify(decision)).not.toContain(SECRET.slice(0, 20));
          if (tail !== '') expect(decision).toMatchObject(NO_ANSWER);
          else if (finish === 'stop') expect(decision).toEqual({ outcome: 'reply', text: real });
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are kept out of what a model notes, too', async () => {
    const schema = z.object({ facts: z.array(z.object({ fact: z.string() })) });
    const noted = async (content: string) => {
      provider.behave(says(content));
      const asked = { model: 'm', instructions: 'Note facts.', messages: prompt.messages, schema, maxTokens: 100 };
      return (await modelsOf().extract({ ...asked, signal: new AbortController().signal })).value.facts;
    };
    const facts = (...said: string[]) => JSON.stringify({ facts: said.map((fact) => ({ fact })) });
    for (const [opens, ends] of FAMILIES) {
      expect(await noted(`${opens}${facts(SECRET)}${ends}${facts(`${opens}${SECRET}${ends}likes red`)}`)).toEqual([
        { fact: 'likes red' },
      ]);
      expect(await noted(facts(`${opens}${SECRET}`, 'likes red【4:0†source】<|im_end|>'))).toEqual([
        { fact: '' },
        { fact: 'likes red' },
      ]);
    }
    expect(await noted("{'facts': [{'fact': 'likes\nred'},]}")).toEqual([{ fact: 'likes\nred' }]);
    await expect(noted(`<think>${facts(SECRET)}`)).rejects.toMatchObject(NO_ANSWER);
  });
});
