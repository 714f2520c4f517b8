/** What the chat shows of a message. */
interface Said {
  id: string;
  by: 'engine' | 'phone' | 'person';
  kind: string;
  options: string[];
}

export function deedOf(
  name: string,
  deed: { from: string; text: string; messages: readonly Said[] },
): { act: string; body: object };
