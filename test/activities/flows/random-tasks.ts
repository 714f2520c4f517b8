import { hash, seeded } from '../../../local/sandbox/random.ts';
import type { Outcome, Todo } from '../../../domain/flows/index.ts';
import { answers, gives, nobodyAnswers } from '../../domain/flows/walk.ts';

type Tasks = Record<string, object>[];
type Doing = Exclude<Todo, { do: 'end' }>;

const KINDS = ['say', 'say', 'set', 'ask', 'ask', 'wait', 'http', 'label', 'skip', 'for', 'do', 'attempt'] as const;
const NESTED: ReadonlySet<string> = new Set(['for', 'do', 'attempt']);
const MAX_DEPTH = 2;

/** Makes the tasks of a definition. Each of its texts differs from all others, also from turn to turn of a loop. */
export function randomTasks(seed: string): Tasks {
  const random = seeded(seed);
  const below = (count: number): number => Math.floor(random() * count);
  let made = 0;

  function say(word: string, turns: readonly string[], then = ''): object {
    const text = [`${word} ${(made += 1)}`, ...turns.map((name) => `\${ ${name} }`), then].join(' ').trim();
    return { call: 'send', with: { text } };
  }

  function list(depth: number, turns: readonly string[]): Tasks {
    return Array.from({ length: 1 + below(depth === 0 ? 4 : 2) }, () => task(depth, turns)).flat();
  }

  function task(depth: number, turns: readonly string[]): Tasks {
    const kind = KINDS[below(KINDS.length)] ?? 'say';
    if (NESTED.has(kind) && depth === MAX_DEPTH) return task(depth, turns);
    const name = `t${(made += 1)}`;
    switch (kind) {
      case 'say':
        return [{ [name]: say('Say', turns) }];
      case 'set':
        return [{ [name]: { set: { n: '${ 1 + 1 }' } } }, { [`${name}b`]: say('Is', turns, '${ input.n }') }];
      case 'ask': {
        const text = ['Ask', made, ...turns.map((turn) => `\${ ${turn} }`)].join(' ');
        const answered = { if: '${ input.answered }', ...say('Heard', turns, '${ input.text }') };
        return [{ [name]: { call: 'ask', with: { text, within: 'PT1H' } } }, { [`${name}b`]: answered }];
      }
      case 'wait':
        return [{ [name]: { wait: 'PT1H' } }];
      case 'http':
        return [{ [name]: order(made * 2) }];
      case 'label':
        return [{ [name]: { call: 'label', with: { name: 'VIP' } } }];
      case 'skip':
        return [{ [name]: { if: '${ false }', ...say('Never', turns) } }];
      case 'do':
        return [{ [name]: { do: list(depth + 1, turns) } }];
      case 'for': {
        const [each, at] = [`v${made}`, `i${made}`];
        return [{ [name]: { for: { each, at, in: '${ [1, 2] }' }, do: list(depth + 1, [...turns, at]) } }];
      }
      case 'attempt': {
        const tried = [{ [`${name}b`]: order(made * 2 + below(2)) }, ...list(depth + 1, turns)];
        return [{ [name]: { try: tried, catch: { do: [{ [`${name}c`]: say('Sorry', turns) }] } } }];
      }
    }
  }

  return list(0, []);
}

/** The shop does not know odd numbers, so that a `catch` handles them. */
function order(number: number): object {
  return { call: 'http', with: { method: 'post', endpoint: 'https://shop.test/orders', body: { number } } };
}

export function statusOfOrder(body: unknown): number {
  const number: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, 'number') : undefined;
  return typeof number === 'number' && number % 2 === 0 ? 200 : 404;
}

/** The words with which the contact answers a question; null for a question that nobody answers. */
export function answerTo(seed: string, { path, iteration }: Doing): string | null {
  const number = hash(`${seed}/${path}/${iteration}`);
  return number % 2 === 0 ? null : `Yes ${number}`;
}

/** The outside world of a definition: it has the same answers in each walk. */
export function worldOf(seed: string): (todo: Doing) => Outcome {
  return (todo) => {
    if (todo.do !== 'call') return gives(null);
    if (todo.name === 'ask') {
      const words = answerTo(seed, todo);
      return words === null ? nobodyAnswers : answers(words);
    }
    if (todo.name !== 'http') return gives({});
    const status = statusOfOrder(todo.input['body']);
    if (status === 200) return gives({ status, body: { ok: true } });
    return { error: { type: 'http_failed', status, title: 'The server refused the request.' } };
  };
}
