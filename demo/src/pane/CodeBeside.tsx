import { CodeBlock, type CodeBlockProps } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { Icon } from '../ui/Icon.tsx';
import { Diagram } from './Diagram.tsx';
import { kindOf } from './kinds.ts';
import { openPane } from './pane.ts';

/** A block of code that opens at the side. A diagram of Mermaid is drawn when it is complete. */
export function CodeBeside(props: CodeBlockProps): ReactElement {
  const { pane: words } = useTexts();
  const { language, text, isGrowing = false } = props;
  const beside = { is: 'code', language, text } as const;
  const block = (
    <CodeBlock
      {...props}
      actions={
        <button
          type="button"
          className="bk-icon-button"
          aria-label={words.open}
          title={words.open}
          onClick={() => openPane(beside)}
        >
          <Icon name="side" />
        </button>
      }
    />
  );
  if (isGrowing || kindOf(beside) !== 'diagram') return block;
  return (
    <>
      <Diagram text={text}>{null}</Diagram>
      {block}
    </>
  );
}
