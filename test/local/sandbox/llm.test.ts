import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { aSandbox } from './a-sandbox.ts';
import type { ASandbox } from './a-sandbox.ts';
import { eventually } from './eventually.ts';

describe('the simulated model', () => {
  let sandbox: ASandbox;

  beforeEach(async () => {
    sandbox = await aSandbox();
  });

  afterEach(() => sandbox.close());

  const ask = (text: string, more: object = {}) =>
    sandbox.call(
      'POST',
      '/llm/v1/chat/completions',
      {
        model: 'any-model',
        messages: [
          { role: 'system', content: 'You sell.' },
          { role: 'user', content: text },
        ],
        ...more,
      },
      { authorization: 'Bearer of-the-model' },
    );
  const script = (...replies: object[]) => sandbox.post('/sandbox/llm/script', { replies });

  it('it quotes the last message and says that it is a sandbox', async () => {
    const answer = await ask('What does it cost?');
    expect(answer.json()).toMatchObject({
      object: 'chat.completion',
      model: 'any-model',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: expect.stringContaining('What does it cost?') },
          finish_reason: 'stop',
        },
      ],
      usage: { total_tokens: expect.any(Number) },
    });
    expect(answer.text).toContain('(sandbox model)');
    expect((await ask('What does it cost?')).json()).toMatchObject({
      choices: [{ message: { content: expect.stringContaining('What does it cost?') } }],
    });
  });

  it('it follows a script in order, then goes back to its default', async () => {
    await script({ text: 'First' }, { status: 429, retryAfter: 7 }, { garbage: true }, { hangMs: 5 });
    expect((await ask('1')).text).toContain('"content":"First"');
    const limited = await ask('2');
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    const garbage = await ask('3');
    expect(() => garbage.json()).toThrow();
    expect((await ask('4')).text).toContain('(sandbox model)');
    expect((await ask('5')).text).toContain('(sandbox model)');
  });

  it('a reply on hold is given when the script is deleted', async () => {
    await script({ hold: true });
    const held = ask('held');
    const asked = async (): Promise<string> => (await sandbox.get('/sandbox/llm/calls')).text;
    await eventually('the call to arrive', async () => (await asked()).includes('held'));
    await sandbox.call('DELETE', '/sandbox/llm');
    expect((await held).text).toContain('(sandbox model)');
  });

  it('a scripted reply can wait for the kind of call it is meant for', async () => {
    await script({ when: 'json', json: { memories: ['likes tea'] } }, { when: 'text', text: 'Spoken' });
    expect((await ask('text first')).text).toContain('Spoken');
    const json = await ask('json next', { response_format: { type: 'json_object' } });
    expect(json.text).toContain('likes tea');
  });

  it('it fits a simple schema', async () => {
    const schema = {
      type: 'object',
      required: ['reply', 'handOver', 'mood', 'memories'],
      properties: {
        reply: { type: 'string' },
        handOver: { type: 'boolean' },
        mood: { enum: ['good', 'bad'] },
        memories: { type: 'array', items: { type: 'string' } },
      },
    };
    const answer = await ask('Hi', { response_format: { type: 'json_schema', json_schema: { name: 'turn', schema } } });
    expect(answer.json()).toMatchObject({ choices: [{ message: { content: expect.any(String) } }] });
    expect(answer.text).toContain('\\"handOver\\":false,\\"mood\\":\\"good\\",\\"memories\\":[]');
    expect(answer.text).toContain('(sandbox model)');
  });

  it('it answers the last of what a prompt quotes', async () => {
    const answer = await ask(
      '<context>\n<now>today</now>\n</context>\n<message at="1">One</message>\n<message at="2">Two &lt;3</message>',
    );
    expect(answer.text).toContain('You wrote: \\"Two <3\\"');
  });

  it('a script lets it refuse, and break off in the middle', async () => {
    await script({ refusal: 'I cannot help with that.' }, { cut: true });
    expect((await ask('Something bad')).json()).toMatchObject({
      choices: [{ message: { content: null, refusal: 'I cannot help with that.' } }],
    });
    await expect(ask('Anything')).rejects.toThrow();
    expect((await ask('Again')).status).toBe(200);
  });

  it('it refuses to stream and remembers what it was asked', async () => {
    expect((await ask('stream', { stream: true })).status).toBe(400);
    await ask('remember me');
    const calls = await sandbox.get('/sandbox/llm/calls');
    expect(calls.json()).toMatchObject({
      calls: [{ authorized: true, request: { messages: [{}, { content: 'remember me' }] } }],
    });
    expect(calls.text).not.toContain('of-the-model');
  });
});
