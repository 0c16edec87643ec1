import type { Components } from 'brooklet/ui';
import { Markdown } from '../markdown/Markdown.tsx';

/** What the person saw, with coloured code and formulas as in the conversation. */
export const parts: Components = { Markdown };
