import { type ReactElement, useMemo, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Icon } from '../ui/Icon.tsx';
import { lazyModule } from './lazyModule.ts';

interface CodeBlockProps {
  readonly language: string;
  readonly text: string;
  /** Whether the block still streams. It is highlighted when it is complete. */
  readonly isGrowing?: boolean;
}

/** The highlighter. Until it is there, code has one colour. */
export const highlighter = lazyModule(() => import('./highlight.tsx'));

/** Lines above which a complete block is collapsed, and the lines that it then shows. */
const maxLines = 40;
const shownLines = 25;

/** A block of code: highlighted, collapsed if it is long, with buttons to wrap and to copy it. */
export function CodeBlock({ language, text, isGrowing = false }: CodeBlockProps): ReactElement {
  const { markdown: words } = useTexts();
  const [isWrapped, setIsWrapped] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const lines = useMemo(() => text.split('\n'), [text]);
  const isLong = !isGrowing && lines.length > maxLines;
  const shown = isLong && !isWhole ? lines.slice(0, shownLines).join('\n') : text;
  const module = highlighter.useModule(language !== '' && !isGrowing);
  const content = useMemo(
    () => (module === undefined || isGrowing ? shown : module.highlight(language, shown)),
    [module, isGrowing, language, shown],
  );

  return (
    <figure className="code" aria-label={language === '' ? words.code : words.codeIn(language)}>
      <figcaption>
        <span className="code-language">{language}</span>
        <button
          type="button"
          className="quiet small"
          aria-label={words.wrap}
          aria-pressed={isWrapped}
          title={words.wrap}
          onClick={() => setIsWrapped(!isWrapped)}
        >
          <Icon name="wrap" />
        </button>
        <CopyButton label={words.copyCode} getText={() => text} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <pre tabIndex={0} className={isWrapped ? 'wrapped' : undefined}>
        <code>{content}</code>
      </pre>
      {isLong && (
        <button
          type="button"
          className="quiet small code-more"
          aria-expanded={isWhole}
          onClick={() => setIsWhole(!isWhole)}
        >
          {isWhole ? words.showLess : words.showAll(lines.length)}
        </button>
      )}
    </figure>
  );
}
