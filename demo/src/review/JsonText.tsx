import { memo, type ReactElement } from 'react';

/** Characters above which JSON is shown without colours: each colour is an element. */
const longest = 40_000;

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/gu;

/** JSON with coloured keys, texts and numbers. */
export const JsonText = memo(function JsonText({ text, label }: { readonly text: string; readonly label?: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard
    <pre className="json json-text" tabIndex={0} role="group" aria-label={label ?? 'JSON'}>
      {text.length > longest ? text : coloured(text)}
    </pre>
  );
});

function coloured(text: string): readonly (string | ReactElement)[] {
  const pieces: (string | ReactElement)[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon, word] = match;
    if (match.index > end) pieces.push(text.slice(end, match.index));
    pieces.push(
      <span key={match.index} className={classOf(quoted, colon, word)}>
        {quoted ?? whole}
      </span>,
    );
    if (colon !== undefined) pieces.push(colon);
    end = match.index + whole.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

function classOf(quoted: string | undefined, colon: string | undefined, word: string | undefined): string {
  if (quoted !== undefined) return colon === undefined ? 'j-text' : 'j-key';
  return word === undefined ? 'j-number' : 'j-word';
}
