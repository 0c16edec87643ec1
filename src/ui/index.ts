// The parts of a chat, for a page with React: each by itself, or all together as `Chat`. The style sheet is `brooklet/ui/style.css`.
export { Markdown } from './markdown/Markdown.tsx';
export { CodeBlock } from './markdown/CodeBlock.tsx';
