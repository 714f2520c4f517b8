/** Follows the session: shows the newest code, and what has become of it. It holds on while the network is away. */
export const SCRIPT = `const main = document.querySelector('main');
const EVERY_MS = 3000;

function renew(shown) {
  const next = new Image(shown.width, shown.height);
  next.alt = shown.alt;
  next.onload = () => shown.replaceWith(next);
  next.src = main.dataset.page + '/code.png?at=' + Date.now();
}

async function look() {
  try {
    const answer = await fetch(main.dataset.page + '/state', { cache: 'no-store' });
    if (answer.status === 404) return location.replace(main.dataset.page);
    if (answer.ok) {
      const { state } = await answer.json();
      main.dataset.state = state;
      if (state === 'connected') return;
      if (state === 'scan') renew(main.querySelector('img'));
    }
  } catch {
    // The next look may succeed.
  }
  setTimeout(look, EVERY_MS);
}

if (main.dataset.state !== 'connected') setTimeout(look, EVERY_MS);
`;

/** Only the section of the page's state is shown. The code stands on white, because cameras need that. */
export const STYLE = `body { font: 17px/1.5 system-ui, sans-serif; margin: 0; color: #1b1f24; background: #f2f4f6 }
main { max-width: 26rem; margin: 0 auto; padding: 1.2rem }
section { display: none; padding: 1.2rem 1.4rem; border-radius: 12px; background: #fff; text-align: center }
[data-state=none] .none, [data-state=start] .start, [data-state=wait] .wait, [data-state=connected] .connected,
[data-state=scan]:not([data-typed]) .scan, [data-state=scan][data-typed] .typed { display: block }
h1 { font-size: 1.4rem; margin: .2rem 0 .8rem }
ol { text-align: left; padding-left: 1.3rem }
img { display: block; width: min(276px, 100%); height: auto; margin: 0 auto; padding: 8px; background: #fff; box-sizing: border-box }
.code { font: 600 2rem/1.2 ui-monospace, monospace; letter-spacing: .12em; margin: .6rem 0 }
.problem { color: #b3261e }
details { text-align: left; margin-top: .6rem } summary { cursor: pointer }
input { display: block; width: 100%; box-sizing: border-box; font: inherit; padding: .55rem; margin: .3rem 0 .7rem; border: 1px solid #9aa4ae; border-radius: 8px }
button { font: inherit; width: 100%; padding: .7rem; border: 0; border-radius: 8px; color: #fff; background: #0a58ca; cursor: pointer }
@media (prefers-color-scheme: dark) { body { color: #e6e9ec; background: #14171a } section { background: #21262c } .problem { color: #ff9a8f } }
`;
