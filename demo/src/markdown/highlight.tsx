import { common, createLowlight } from 'lowlight';
import type { ReactNode } from 'react';

const lowlight = createLowlight(common);

/** Characters above which code is shown in one colour: highlighting would block the page. */
const maxLength = 60_000;

/** Returns code as coloured spans; the text itself if its language is not known. */
export function highlight(language: string, text: string): ReactNode {
  const name = language.toLowerCase();
  if (!lowlight.registered(name) || text.length > maxLength) return text;
  return toSpans(lowlight.highlight(name, text).children);
}

type Nodes = ReturnType<typeof lowlight.highlight>['children'];

function toSpans(nodes: Nodes): ReactNode {
  return nodes.map((node, index) => {
    if (node.type === 'text') return node.value;
    if (node.type !== 'element') return null;
    const { className } = node.properties;
    return (
      // Highlighted code does not change, so the index is a stable key.
      <span key={index} className={Array.isArray(className) ? className.join(' ') : undefined}>
        {toSpans(node.children.filter((child) => child.type === 'text' || child.type === 'element'))}
      </span>
    );
  });
}
