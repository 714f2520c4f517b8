/** A frame of server-sent events. One without data only moves the cursor. */
export interface Frame {
  event: string;
  id: string | undefined;
  retryMs: number | undefined;
  data: string | undefined;
}

/** Reads the frames of a stream as they come; `heard` is called for each sign of life. */
export async function* readFrames(
  body: ReadableStream<Uint8Array>,
  heard: () => void,
): AsyncGenerator<Frame, void, undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      heard();
      const blocks = (rest + decoder.decode(value, { stream: true })).split(/\r?\n\r?\n/);
      rest = blocks.pop() ?? '';
      yield* blocks.map(frameOf);
    }
  } finally {
    reader.cancel().catch(() => undefined);
  }
}

function frameOf(block: string): Frame {
  const frame: Frame = { event: 'message', id: undefined, retryMs: undefined, data: undefined };
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    const field = line.slice(0, colon);
    const value = line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') frame.event = value;
    else if (field === 'id') frame.id = value;
    else if (field === 'retry') frame.retryMs = Number(value);
    else if (field === 'data') frame.data = frame.data === undefined ? value : `${frame.data}\n${value}`;
  }
  return frame;
}
