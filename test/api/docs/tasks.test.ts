import { posix } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { pageOf, readGuide } from '../../../api/docs/guides.ts';
import { guideOf } from '../../../api/docs/library.ts';

const MAX_CLICKS = 3;

/** Tasks of readers: the pages that they click on from the README on, and the heading that answers. */
const TASKS: { task: string; clicks: readonly string[]; heading: string }[] = [
  { task: 'rotate a key', clicks: ['docs/guides/keys-and-tenants.md'], heading: 'Rotate a key' },
  {
    task: 'why was this not sent?',
    clicks: ['docs/guides/why-not-sent.md'],
    heading: 'Find out why a message was not sent',
  },
  { task: 'verify a signature in Go', clicks: ['docs/webhooks/verify.md'], heading: 'Go' },
  { task: 'keep messages for 30 days', clicks: ['docs/operate/personal-data.md'], heading: 'Retention' },
  { task: 'take a chat over', clicks: ['docs/guides/take-over.md'], heading: 'Take over from the agent' },
  { task: 'send an image', clicks: ['docs/guides/media.md'], heading: 'Send a file by its address' },
  { task: 'deploy with Docker', clicks: ['docs/operate/deploy.md'], heading: 'Start with Docker Compose' },
  { task: 'back up and restore', clicks: ['docs/operate/backup.md'], heading: 'Back up and restore' },
  { task: 'write an automation', clicks: ['docs/extend/first-automation.md'], heading: 'Write an automation' },
  { task: 'what does an event look like?', clicks: ['docs/reference/events.md'], heading: 'message' },
];

/** The files that a page links, by their paths from the root. */
async function linkedFrom(file: string): Promise<string[]> {
  const text = await readGuide(file);
  return [...text.matchAll(/\]\(([^)\s#]+\.md)(?:#[^)\s]*)?\)/g)].map(([, href = '']) =>
    posix.join(posix.dirname(file), href),
  );
}

describe('a reader who starts at the README finds the answer within three clicks', () => {
  it.each(TASKS)('$task', async ({ clicks, heading }) => {
    expect(clicks.length).toBeLessThanOrEqual(MAX_CLICKS);
    for (const [index, target] of clicks.entries()) {
      expect(await linkedFrom(clicks[index - 1] ?? 'README.md')).toContain(target);
    }
    const sections = (await guideOf(pageOf(clicks.at(-1) ?? '')))?.sections ?? [];
    expect(sections.map(({ title }) => title)).toContain(heading);
  });
});
