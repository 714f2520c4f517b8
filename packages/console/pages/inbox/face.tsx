import { who } from '../../shell/engine.ts';

/** The engine's own address of a picture; the network's are of another host, which the page may not load from. */
const isOurs = (url: string): boolean =>
  URL.canParse(url) && [window.location.origin, who.value?.mediaOrigin].includes(new URL(url).origin);

export const Face = ({ name, picture }: { name: string; picture: string | null }) => (
  <span class="face" aria-hidden="true">
    {picture !== null && isOurs(picture) ? (
      <img src={picture} alt="" loading="lazy" />
    ) : (
      (Array.from(name.trim())[0] ?? '?').toUpperCase()
    )}
  </span>
);
