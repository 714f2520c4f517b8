// Reads an answer of the engine from stdin, for the commands of the guides: `curl … | field messageId` prints that field,
// and shows the whole answer beside it. It is plain JavaScript, because whatever Node the reader has runs it.
const [path] = process.argv.slice(2);
let text = '';
for await (const chunk of process.stdin.setEncoding('utf8')) text += chunk;

const answer = parse(text);
if (text === '') {
  // What comes before this one in the pipe has failed, and has said why.
  end(
    'There was no answer, for the reason above. Is the engine running? Start it with: npm start\nIt has another address then? Paste here: eval "$(npx engine env)"',
  );
}
if (answer === undefined) end(`This is no answer of the engine:\n${text.slice(0, 500)}`);
if (isProblem(answer)) end(`${answer.status} ${answer.code}: ${answer.detail}${fields(answer.errors)}`);
const shown = JSON.stringify(answer, null, 2);
if (path === undefined) {
  console.log(shown);
} else {
  console.error(shown);
  const found = path
    .split('.')
    .reduce((value, name) => (Array.isArray(value) ? value.at(Number(name)) : value?.[name]), answer);
  if (found === undefined || found === null) end(`The answer has no ${path} yet.`);
  console.log(typeof found === 'object' ? JSON.stringify(found) : String(found));
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
