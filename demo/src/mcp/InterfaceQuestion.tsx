import type { MCPAppQuestion } from 'brooklet/mcp/apps';
import { type ReactElement, useId } from 'react';
import type { AllTexts } from '../texts/en/rooms.ts';
import { useAllTexts } from '../texts/useAllTexts.ts';
import type { OpenQuestion } from './questions.ts';

interface InterfaceQuestionProps {
  readonly open: OpenQuestion;
  /** The server of the interface. */
  readonly host: string;
}

/** A question of the interface of a tool: what it wants to do, with a button for either answer. */
export function InterfaceQuestion({ open: { question, answer }, host }: InterfaceQuestionProps): ReactElement {
  const { interfaces: words } = useAllTexts();
  const titleId = useId();
  const items = itemsOf(question, words);
  return (
    <section className="approval interface-question" aria-labelledby={titleId}>
      <p className="ask" role="alert">
        <strong id={titleId}>{words.questions[question.type](host)}</strong>
      </p>
      {items.length > 0 && (
        <ul>
          {items.map((item) => (
            <li key={item}>
              <bdi>{item}</bdi>
            </li>
          ))}
        </ul>
      )}
      {question.type === 'message' && (
        <blockquote className="request-quote">
          <bdi>{question.text}</bdi>
        </blockquote>
      )}
      <p className="hint">{words.hints[question.type]}</p>
      <div className="approval-verbs">
        <button type="button" className="primary" onClick={() => answer(true)}>
          {words.allow[question.type]}
        </button>
        <button type="button" onClick={() => answer(false)}>
          {words.refuse}
        </button>
      </div>
    </section>
  );
}

/** Returns what the user would allow, in lines. */
function itemsOf(question: MCPAppQuestion, { permissions }: AllTexts['interfaces']): readonly string[] {
  switch (question.type) {
    case 'network': {
      const { connectDomains, resourceDomains, frameDomains } = question.csp;
      return [...new Set([...connectDomains, ...resourceDomains, ...frameDomains])];
    }
    case 'permissions':
      return question.permissions.map((name) => permissions[name]);
    case 'link':
      return [question.url];
    case 'message':
    case 'changed':
      return [];
  }
}
