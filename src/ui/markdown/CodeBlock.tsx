import { type ReactElement, useMemo, useState } from 'react';
import { CopyButton } from '../base/CopyButton.tsx';
import { IconButton } from '../base/IconButton.tsx';
import { part } from '../base/part.ts';
import { useWhole } from '../base/whole.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { CodeBlockProps } from '../props.ts';
import { maxCodeLines, shownCodeLines } from './limits.ts';
import { visible } from '../base/visible.ts';

/** A block of code, collapsed if it is long, with buttons to wrap and to copy it. `highlight` colours it when it is complete. */
export function CodeBlock(props: CodeBlockProps): ReactElement {
  const { language, text, isGrowing = false, highlight, actions, labels, className } = props;
  const words = useLabels('code', labels);
  const [isWrapped, setIsWrapped] = useState(false);
  const [isWhole, setIsWhole] = useState(false);
  const isPrinted = useWhole();
  const showsAll = isPrinted || props.isWhole === true;
  const lines = useMemo(() => text.split('\n'), [text]);
  const isLong = !isGrowing && !showsAll && lines.length > maxCodeLines;
  const shown = visible(isLong && !isWhole ? lines.slice(0, shownCodeLines).join('\n') : text);
  const content = useMemo(
    () => (isGrowing || language === '' ? shown : (highlight?.(language, shown) ?? shown)),
    [highlight, isGrowing, language, shown],
  );

  return (
    <figure
      {...part('code-block', className, isGrowing ? 'growing' : 'complete')}
      aria-label={language === '' ? words.code : words.codeIn(language)}
    >
      <figcaption>
        <span className="bk-code-language">{language}</span>
        {actions}
        <IconButton icon="wrap" label={words.wrap} isPressed={isWrapped} onClick={() => setIsWrapped(!isWrapped)} />
        <CopyButton label={words.copy} getText={() => text} />
      </figcaption>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable content must be reachable by keyboard */}
      <pre tabIndex={0} data-state={isWrapped ? 'wrapped' : undefined}>
        <code>{content}</code>
      </pre>
      {isLong && (
        <button type="button" className="bk-more" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? words.showLess : words.showAll(lines.length)}
        </button>
      )}
    </figure>
  );
}
