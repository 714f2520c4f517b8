// Reads an answer of the engine from stdin, for the commands of the guides: `curl … | field messageId` prints that field,
// and shows the whole answer beside it. It is plain JavaScript, because whatever Node the reader has runs it.
const ELSEWHERE = 'If the engine has another address now, paste here: eval "$(./engine env)"';
/** The first lines tell a person what has answered instead; a whole page would hide the cure. */
const SHOWN_LINES = 3;
const LOOK_MS = 5_000;

// The shell's function passes the engine's address before the words of its caller.
const [url, path] = process.argv.slice(2);
let text = '';
for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;

const answer = parse(text);
if (text === '') {
  // An earlier command of the pipe has failed, and has printed its reason.
  const reason = 'There is no response, for the reason above.';
  end((await isRunning()) ? reason : `${reason} Is the engine running? Start it with: npm start\n${ELSEWHERE}`);
}
if (answer === undefined) {
  const start = text.split('\n').slice(0, SHOWN_LINES).join('\n').slice(0, 300);
  end(`This is not a response of the engine:\n${start}\nDoes another program use this address? ${ELSEWHERE}`);
}
if (isProblem(answer)) end(`${answer.status} ${answer.code}: ${answer.detail}${fields(answer.errors)}`);
const shown = JSON.stringify(answer, null, 2);
if (path === undefined) {
  console.log(shown);
} else {
  console.error(shown);
  const found = path
    .split('.')
    .reduce((value, name) => (Array.isArray(value) ? value.at(Number(name)) : value?.[name]), answer);
  if (found === undefined || found === null) end(`The response, shown above, has no ${path}.`);
  console.log(typeof found === 'object' ? JSON.stringify(found) : String(found));
}

/** Whether an engine answers at the address of this shell: a guard that has struck is no reason to start one. */
async function isRunning() {
  try {
    return (await fetch(`${url}/livez`, { signal: AbortSignal.timeout(LOOK_MS) })).ok;
  } catch {
    return false;
  }
}

function parse(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function isProblem(value) {
  return typeof value?.code === 'string' && typeof value.detail === 'string' && value.status >= 400;
}

function fields(errors = []) {
  return errors.map(({ pointer, message }) => `\n  ${pointer} ${message}`).join('');
}

function end(sentence) {
  console.error(sentence);
  process.exit(1);
}
