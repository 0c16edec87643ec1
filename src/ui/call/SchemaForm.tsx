import { type KeyboardEvent, type ReactElement, type SyntheticEvent, useRef, useState } from 'react';
import { isComposing } from '../base/isComposing.ts';
import { part } from '../base/part.ts';
import type { Json } from '../../core/model/index.ts';
import { useLabels } from '../labels/useLabels.ts';
import type { SchemaFormProps } from './props.ts';
import { Begun } from './Begun.tsx';
import { fieldProblems, focusField } from './fieldProblems.ts';
import { FormFields } from './FormFields.tsx';
import { Reason } from './Reason.tsx';
import { type FormKind, parseJSON, readSchema, single, toValue } from './schema.ts';
import { useOnce } from './useOnce.ts';

const none: ReadonlyMap<string, string> = new Map();
const json: FormKind = { kind: 'json' };

/** Asks for a value of a JSON Schema: with buttons, a text field, fields, or as JSON where no fields fit. */
export function SchemaForm(props: SchemaFormProps): ReactElement {
  const { schema, value, onSubmit, onDecline, onBack, isJSON = false, submitLabel, labels, className } = props;
  const words = useLabels('form', labels);
  const approval = useLabels('approval', undefined);
  const form = isJSON ? json : readSchema(schema);
  const element = useRef<HTMLFormElement>(null);
  const once = useOnce();
  const { isUnderWay, refusal, run } = once;
  const [isDeclining, setIsDeclining] = useState(false);
  const [hasDeclined, setHasDeclined] = useState(false);
  const [problems, setProblems] = useState(none);
  const [isTyped, setIsTyped] = useState(false);

  const decline = (): void => {
    setHasDeclined(true);
    setIsDeclining(true);
  };
  const submit = (given: Json): void => run(() => onSubmit(given));
  const showProblems = (found: ReadonlyMap<string, string>): void => {
    setProblems(found);
    const [first = ''] = found.keys();
    focusField(element.current, first);
  };
  const submitFields = (target: HTMLFormElement): void => {
    const found = fieldProblems(target, words);
    const entries = new FormData(target);
    const typed = entries.get(single);
    const text = typeof typed === 'string' ? typed : '';
    if (found.size > 0) showProblems(found);
    else if (form.kind === 'fields') submit(toValue(form, entries, value));
    else if (form.kind === 'text') submit(text);
    else {
      const parsed = parseJSON(text);
      if (parsed === undefined) showProblems(new Map([[single, words.notJSON]]));
      else submit(parsed);
    }
  };

  const onFormSubmit = (event: SyntheticEvent<HTMLFormElement>): void => {
    event.preventDefault();
    setProblems(none);
    submitFields(event.currentTarget);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || onBack === undefined || isComposing(event.nativeEvent)) return;
    event.preventDefault();
    onBack();
  };

  return (
    <div {...part('schema-form', className, form.kind)}>
      <form
        autoComplete="off"
        ref={element}
        // The problems are shown beside the fields, not in a bubble of the browser.
        noValidate
        // Not removed while a reason is written: what was typed stays.
        hidden={isDeclining}
        data-typed={isTyped ? '' : undefined}
        onInput={() => setIsTyped(true)}
        onSubmit={onFormSubmit}
        onKeyDown={onKeyDown}
      >
        <FormFields form={form} value={value} problems={problems} labels={words} onChoose={submit} />
        {refusal !== undefined && !isDeclining && (
          <p className="bk-bad" role="alert">
            {refusal.message}
          </p>
        )}
        <div className="bk-buttons">
          {form.kind !== 'choice' && form.kind !== 'boolean' && (
            <button type="submit" className="bk-button" data-state="primary" aria-disabled={isUnderWay}>
              {submitLabel ?? words.submit}
            </button>
          )}
          {onBack && (
            <button type="button" className="bk-button" onClick={onBack}>
              {approval.back}
            </button>
          )}
          {onDecline && (
            <button type="button" className="bk-button" data-state="quiet" onClick={decline}>
              {words.decline}
            </button>
          )}
        </div>
      </form>
      {hasDeclined && onDecline && (
        <Begun isShown={isDeclining}>
          <Reason
            label={words.decline}
            question={approval.whyNot}
            optional={words.optional}
            back={approval.back}
            once={once}
            onReason={onDecline}
            onBack={() => setIsDeclining(false)}
          />
        </Begun>
      )}
    </div>
  );
}
