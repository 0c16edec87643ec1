import { Lexer, type MarkedToken, type Token, Tokenizer } from 'marked';

const known: ReadonlySet<string> = new Set<MarkedToken['type']>([
  'blockquote',
  'br',
  'checkbox',
  'code',
  'codespan',
  'def',
  'del',
  'em',
  'escape',
  'heading',
  'hr',
  'html',
  'image',
  'link',
  'list',
  'list_item',
  'paragraph',
  'space',
  'strong',
  'table',
  'text',
]);

/** Whether a token is one of marked's own. Without extensions all of them are. */
function isKnown(token: Token): token is MarkedToken {
  return known.has(token.type);
}

/** Returns the tokens of a Markdown text, as CommonMark with the tables, task lists and strikethrough of GitHub. */
export function lex(markdown: string): readonly MarkedToken[] {
  // Options of its own: those of the page (`marked.use`) do not apply.
  const lexer = new Lexer({ gfm: true, breaks: false, pedantic: false, tokenizer: new Tokenizer() });
  return markedTokens(lexer.lex(markdown));
}

/** Returns the tokens within a token. */
export function markedTokens(tokens: readonly Token[] | undefined): readonly MarkedToken[] {
  return tokens?.filter(isKnown) ?? [];
}
