/** Choices that stay in the browser. A browser that stores nothing asks for them again next time. */
export const readKept = (name: string): string | null => {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
};

/** Null removes the choice. False if the browser stores nothing. */
export const keep = (name: string, value: string | null): boolean => {
  try {
    if (value === null) localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    return true;
  } catch {
    return false;
  }
};

/** Removes everything whose name begins so, such as all drafts at a logout. */
export const removeAllKept = (prefix: string): void => {
  try {
    for (const name of Object.keys(localStorage)) {
      if (name.startsWith(prefix)) localStorage.removeItem(name);
    }
  } catch {
    // A browser that stores nothing has nothing to remove.
  }
};
