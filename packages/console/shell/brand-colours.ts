/** The grounds of the console in the dark (`style/tokens.css`). */
const DARK_PANEL = '#171e1c';
const DARK_PAPER = '#0f1413';
const MIN_CONTRAST = 4.5;
const STEP = 0.05;

const partsOf = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));

const luminanceOf = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** The contrast of two colours, from 1 to 21, as WCAG counts it. */
export const contrastOf = (one: string, other: string): number => {
  const [bright = 0, dark = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => b - a);
  return (bright + 0.05) / (dark + 0.05);
};

const lighter = (colour: string, share: number): string =>
  `#${partsOf(colour)
    .map((part) =>
      Math.round(part + (255 - part) * share)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;

/** The colour as it can be read in the dark: the engine accepts what can be read in the light. */
export const inTheDark = (colour: string): string => {
  let found = colour;
  for (let share = 0; share <= 1 && contrastOf(found, DARK_PANEL) < MIN_CONTRAST; share += STEP)
    found = lighter(colour, share);
  return found;
};

/** The tokens that a colour replaces; null leaves each as it is. */
export const coloursOf = (colour: string | null): Readonly<Record<string, string | null>> => ({
  '--accent': colour && `light-dark(${colour}, ${inTheDark(colour)})`,
  '--accent-ink': colour && `light-dark(#ffffff, ${DARK_PAPER})`,
  // A tint of the default would not go with the colour.
  '--accent-soft': colour && 'var(--paper)',
  // On the ground of the paper only an edge shows the bubbles of one's own messages and the chosen chat.
  '--own-edge': colour && 'var(--accent)',
});
