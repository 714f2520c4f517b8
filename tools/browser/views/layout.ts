/*
 * Runs in the page, which knows nothing of this file but the function. A part is cut if a person cannot see it without
 * moving the page sideways, or if its box hides it. A region that scrolls by itself, and words that end with "…", are
 * not cut.
 */

export function findCut(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement;
  const cut: string[] = [];
  if (scrollWidth > clientWidth) cut.push(`the page is ${scrollWidth} px wide on a screen of ${clientWidth}`);
  const scrolls = (element: Element | null): boolean =>
    element !== null && (/auto|scroll/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const isForReaders = (element: Element): boolean => element.closest('.visually-hidden, .skip') !== null;
  const nameOf = (element: Element): string =>
    `<${element.tagName.toLowerCase()} class="${element.getAttribute('class') ?? ''}"> ${(element.textContent ?? '').slice(0, 40)}`;
  for (const element of document.body.querySelectorAll('*')) {
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0 || isForReaders(element)) continue;
    if ((right > clientWidth + 1 || left < -1) && !scrolls(element.parentElement))
      cut.push(`out of the screen, ${Math.round(left)} to ${Math.round(right)} px: ${nameOf(element)}`);
    const { overflowX, overflowY, textOverflow } = getComputedStyle(element);
    // Typed text moves under the cursor.
    if (textOverflow === 'ellipsis' || element.matches('input, textarea, select')) continue;
    if (/hidden|clip/.test(overflowX) && element.scrollWidth > element.clientWidth + 1)
      cut.push(`wider than its box, ${element.scrollWidth} of ${element.clientWidth} px: ${nameOf(element)}`);
    if (/hidden|clip/.test(overflowY) && element.scrollHeight > element.clientHeight + 2)
      cut.push(`higher than its box, ${element.scrollHeight} of ${element.clientHeight} px: ${nameOf(element)}`);
  }
  for (const id of document.body.querySelectorAll('td .mono:not(.words)')) {
    const text = id.textContent.trim();
    if (!/\s/.test(text) && id.getClientRects().length > 1) cut.push(`an id is broken over lines: ${nameOf(id)}`);
  }
  // A rail where it is wide, one row on a phone: the rest of the screen is for the work.
  const rail = document.querySelector('.rail');
  const bounds = rail?.getBoundingClientRect();
  if (bounds && clientWidth > 896 && bounds.width > 180) cut.push(`the rail is ${Math.round(bounds.width)} px wide`);
  const late = document.querySelector('.delays')?.getBoundingClientRect().height ?? 0;
  if (bounds && clientWidth <= 896 && bounds.height - late > 56)
    cut.push(`the bar of pages is ${Math.round(bounds.height - late)} px high, and not 56`);
  const here = rail?.querySelector('nav [aria-current]');
  const menu = here?.closest('nav')?.getBoundingClientRect();
  const at = here?.getBoundingClientRect();
  if (menu && at && (at.left < menu.left - 1 || at.right > menu.right + 1))
    cut.push(`the menu does not show where one is, ${Math.round(at.left)} to ${Math.round(at.right)} px`);
  return cut.slice(0, 5);
}
