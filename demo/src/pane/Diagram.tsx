import { type ReactElement, type ReactNode, useEffect, useState } from 'react';
import { useTexts } from '../texts/useTexts.ts';
import { useIsDark } from './useIsDark.ts';

interface DiagramProps {
  /** In the language of Mermaid. */
  readonly text: string;
  /** Shown until the diagram is drawn, and in its place where it cannot be. */
  readonly children: ReactNode;
}

type Drawing = { readonly of: string; readonly src?: string; readonly problem?: string };

// React Compiler leaves out a component that imports.
const loadDiagrams = () => import('./diagrams.ts');

/** A diagram as a picture. Until it is drawn, and where it is wrong, its source is shown. */
export function Diagram({ text, children }: DiagramProps): ReactElement {
  const { pane: words } = useTexts();
  const isDark = useIsDark();
  const key = `${isDark} ${text}`;
  const [drawing, setDrawing] = useState<Drawing>({ of: '' });

  useEffect(() => {
    let isOver = false;
    const draw = async (): Promise<Drawing> => {
      try {
        const { drawDiagram } = await loadDiagrams();
        const svg = await drawDiagram(text, isDark);
        return { of: key, src: toSource(svg) };
      } catch (error) {
        return { of: key, problem: error instanceof Error ? error.message : '' };
      }
    };
    void draw().then((drawn) => isOver || setDrawing(drawn));
    return () => {
      isOver = true;
    };
  }, [text, isDark, key]);

  if (drawing.of !== key || drawing.src === undefined)
    return (
      <>
        {children}
        {drawing.of === key && (
          <p className="hint">
            {words.notDrawn} <bdi>{drawing.problem?.split('\n', 1)[0]}</bdi>
          </p>
        )}
      </>
    );
  return <img className="diagram" src={drawing.src} alt={words.diagram} />;
}

/** Returns the address of a drawing in its own size: Mermaid makes it as wide as what is around it. */
export function toSource(svg: string): string {
  const [, width] = /\bviewBox="[-\d.]+ [-\d.]+ ([\d.]+) [\d.]+"/u.exec(svg) ?? [];
  const sized = width === undefined ? svg : svg.replace(' width="100%"', ` width="${width}"`);
  return `data:image/svg+xml;charset=utf-8,${encodeURIComponent(sized)}`;
}
