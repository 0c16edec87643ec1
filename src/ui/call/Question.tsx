import { type ReactElement, useEffect, useId, useRef } from 'react';
import { TimeLeft } from '../base/Clock.tsx';
import { focusedElement, focusEnd } from '../base/focus.ts';
import { part } from '../base/part.ts';
import type { Json, JsonObject, ToolPart } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import { Link } from '../markdown/Link.tsx';
import { useParts } from '../parts.ts';
import { SchemaForm } from './SchemaForm.tsx';
import { visible } from '../base/visible.ts';

interface QuestionProps {
  readonly call: ToolPart;
  /** JSON Schema of the answer. */
  readonly schema: JsonObject;
  readonly onAnswer: (value: Json) => Promise<void>;
  readonly onDecline: (reason: string) => Promise<void>;
}

/** Asks the person for the answer to a question of a tool. */
export function Question({ call, schema, onAnswer, onDecline }: QuestionProps): ReactElement {
  const words = useLabels('form', undefined);
  const approval = useLabels('approval', undefined);
  const markdown = useLabels('markdown', undefined);
  const { title: titleOf } = useLabels('tool', undefined);
  const { SchemaForm: Form = SchemaForm } = useParts();
  const group = useRef<HTMLDivElement>(null);
  const titleId = useId();
  // A server may ask the person to do something at an address.
  const address = schema['x-mcp-url'];
  const asked = [schema['title'], schema['description']].find((text) => typeof text === 'string');

  useEffect(() => {
    // The focus moves to the form, unless the person is writing elsewhere.
    const focused = focusedElement();
    const isFree =
      focused === null ||
      (focused instanceof HTMLTextAreaElement && focused.value === '' && focused.hasAttribute('data-focus-home'));
    const first = group.current?.querySelector<HTMLElement>('[data-first], input, textarea, select');
    if (isFree && first) focusEnd(first);
  }, []);

  return (
    <div {...part('question-form')} ref={group} role="group" aria-labelledby={titleId}>
      <p className="bk-ask">
        <strong id={titleId}>
          <bdi>{visible(asked ?? words.asks(titleOf(call.name)))}</bdi>
        </strong>
        {call.approval?.expiresAt !== undefined && (
          <TimeLeft until={call.approval.expiresAt} label={approval.left} endLabel={approval.expired} />
        )}
      </p>
      {typeof address === 'string' && address.startsWith('https://') && (
        <p>
          <Link url={address} labels={markdown} onLink={undefined} text={address}>
            {address}
          </Link>
        </p>
      )}
      <Form schema={schema} onSubmit={onAnswer} onDecline={onDecline} />
    </div>
  );
}
