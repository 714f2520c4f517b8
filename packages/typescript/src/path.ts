/** Writes a path with ids in it. One that is empty, or that moves up in the path, would make it the path of another route. */
export function path(parts: TemplateStringsArray, ...ids: string[]): string {
  return parts.reduce((written, part, index) => {
    const id = ids[index - 1];
    if (id === undefined || id === '' || id === '.' || id === '..') {
      throw new TypeError(`"${String(id)}" is no id, so ${written}… names nothing.`);
    }
    return written + encodeURIComponent(id) + part;
  });
}
