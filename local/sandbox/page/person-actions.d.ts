/** The fields of a message in the chat. */
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
