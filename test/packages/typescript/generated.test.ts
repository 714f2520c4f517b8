import { expect, it } from '@jest/globals';
import { committed, generate } from '../../../tools/clients/generator/main.ts';

it('the committed client is what the document makes: npm run client', async () => {
  const made = await generate();
  const there = committed();
  expect([...there.keys()].toSorted()).toEqual([...made.keys()].toSorted());
  const differ = [...made].filter(([path, text]) => there.get(path) !== text).map(([path]) => path);
  expect(differ).toEqual([]);
});
