import type { ExtraProps } from 'react-markdown';
import { type Formula, splitFormulas, unmask } from './formulas.ts';

type Element = NonNullable<ExtraProps['node']>;
type Content = Element['children'][number];

const marked = 'dataFormula';

/** Puts elements in the places of the formulas of a text. What is no text, code and attributes, gets the source of the formula. */
export function formulaElements(formulas: readonly Formula[]): (tree: { children: Content[] }) => void {
  const visit = (parent: { children: Content[] }, isCode: boolean): void => {
    parent.children = parent.children.flatMap((child): readonly Content[] => {
      switch (child.type) {
        case 'text':
          return isCode ? [unmasked(child)] : splitFormulas(child.value, formulas).map(toContent);
        case 'element':
          unmaskAttributes(child);
          visit(child, isCode || child.tagName === 'code');
          return [child];
        case 'raw':
          return [unmasked(child)];
        case 'comment':
          return [child];
      }
    });
  };
  const unmasked = <Literal extends { value: string }>(node: Literal): Literal => ({
    ...node,
    value: unmask(node.value, formulas),
  });
  const unmaskAttributes = ({ properties }: Element): void => {
    for (const [name, value] of Object.entries(properties))
      if (typeof value === 'string') properties[name] = unmask(value, formulas);
  };
  return (tree) => visit(tree, false);
}

function toContent(piece: string | Formula): Content {
  if (typeof piece === 'string') return { type: 'text', value: piece };
  const { source, tex, isDisplay, isClosed } = piece;
  return {
    type: 'element',
    tagName: 'code',
    properties: { [marked]: true, source, isDisplay, isClosed },
    children: [{ type: 'text', value: tex }],
  };
}

/** Returns the formula of an element; `undefined` for an element that is no formula. */
export function toFormula(element: Element | undefined): Formula | undefined {
  if (element?.properties[marked] !== true) return undefined;
  const { source, isDisplay, isClosed } = element.properties;
  const [text] = element.children;
  return {
    source: String(source),
    tex: text?.type === 'text' ? text.value : '',
    isDisplay: isDisplay === true,
    isClosed: isClosed === true,
  };
}
