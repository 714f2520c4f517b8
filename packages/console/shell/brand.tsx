import { useEffect } from 'preact/hooks';
import { coloursOf } from './brand-colours.ts';
import { who } from './engine.ts';
import { base } from './location.ts';

const setColours = (colour: string | null): void => {
  const { style } = document.documentElement;
  // The policy allows no styles in the page, but those that a script sets one by one.
  for (const [name, value] of Object.entries(coloursOf(colour))) {
    if (value === null) style.removeProperty(name);
    else style.setProperty(name, value);
  }
};

/** The logo and the name of the agency, for people who came by its link. */
export const BrandBar = () => {
  const brand = who.value?.brand ?? null;
  useEffect(() => setColours(brand?.colour ?? null), [brand?.colour]);
  if (brand === null || (brand.logo === null && brand.colour === null)) return null;
  return (
    <div class="brand row">
      {brand.logo !== null && <img src={`${base}/brands/${brand.logo}`} alt="" />}
      <strong dir="auto">{brand.name}</strong>
    </div>
  );
};
