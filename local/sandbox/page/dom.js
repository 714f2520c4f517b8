// The elements of the page. Texts of people are inserted as text, never as markup.

/**
 * @template {HTMLElement} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function element(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${id}`);
  return found;
}

/**
 * @param {string} id
 * @param {HTMLElement[]} children
 */
export function fill(id, children) {
  element(id, HTMLElement).replaceChildren(...children);
}

/**
 * @param {string} tag
 * @param {string} words
 */
export function make(tag, words) {
  const made = document.createElement(tag);
  made.textContent = words;
  return made;
}
