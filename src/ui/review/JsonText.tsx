import { type ComponentType, memo, type ReactElement } from 'react';
import { useReviewTexts } from './reviewTexts.ts';

interface JsonTextProps {
  readonly text: string;
  readonly label: string;
}

/** Characters above which JSON is shown without colours: each colour is an element. */
const longest = 40_000;
/** Characters that are shown: a longer text would block the page. */
const maxShown = 100_000;

const token = /("(?:\\.|[^"\\])*")(\s*:)?|\b(true|false|null)\b|-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b/gu;

/** JSON with coloured keys, texts and numbers. */
export const JsonText: ComponentType<JsonTextProps> = memo(function JsonText(props: JsonTextProps): ReactElement {
  const { text, label } = props;
  const { board: words, formats } = useReviewTexts();
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <pre className="bk-json" tabIndex={0} role="group" aria-label={label} dir="ltr">
        {text.length > longest ? text.slice(0, maxShown) : coloured(text)}
      </pre>
      {text.length > maxShown && <p className="bk-hint">{words.leftOut(formats.count(text.length - maxShown))}</p>}
    </>
  );
});

function coloured(text: string): readonly (string | ReactElement)[] {
  const pieces: (string | ReactElement)[] = [];
  let end = 0;
  for (const match of text.matchAll(token)) {
    const [whole, quoted, colon, word] = match;
    if (match.index > end) pieces.push(text.slice(end, match.index));
    pieces.push(
      <span key={match.index} data-kind={kindOf(quoted, colon, word)}>
        {quoted ?? whole}
      </span>,
    );
    if (colon !== undefined) pieces.push(colon);
    end = match.index + whole.length;
  }
  pieces.push(text.slice(end));
  return pieces;
}

function kindOf(quoted: string | undefined, colon: string | undefined, word: string | undefined): string {
  if (quoted !== undefined) return colon === undefined ? 'text' : 'key';
  return word === undefined ? 'number' : 'word';
}
