import { type ComponentProps, type ReactElement, useState } from 'react';
import { useAllTexts } from '../texts/useAllTexts.ts';
import type { AllTexts } from '../texts/en/rooms.ts';

interface ValidFormProps extends Omit<ComponentProps<'form'>, 'onSubmit' | 'onInput' | 'noValidate'> {
  /** Called when every field is as its attributes (`required`, `minLength`, …) say. */
  readonly onSubmit: () => void;
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A form that says what is missing in the words of the page, in the place of the browser's bubble. The field gets the focus. */
export function ValidForm({ onSubmit, children, ...rest }: ValidFormProps): ReactElement {
  const { form: words } = useAllTexts();
  const [problem, setProblem] = useState<string>();
  return (
    <form
      {...rest}
      noValidate
      onInput={({ target }) => {
        if (target instanceof Element) target.removeAttribute('aria-invalid');
        setProblem(undefined);
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const invalid = event.currentTarget.querySelector<Field>(':is(input, select, textarea):invalid');
        setProblem(invalid ? reasonOf(invalid, words) : undefined);
        invalid?.setAttribute('aria-invalid', 'true');
        invalid?.focus();
        if (!invalid) onSubmit();
      }}
    >
      {children}
      {problem !== undefined && (
        <p className="hint bad" role="alert">
          {problem}
        </p>
      )}
    </form>
  );
}

function reasonOf(field: Field, words: AllTexts['form']): string {
  const { validity, validationMessage, labels } = field;
  const label = labels?.[0];
  const name = (label?.querySelector('span') ?? label)?.textContent ?? '';
  if (validity.customError) return validationMessage;
  if (validity.valueMissing) return words.missing(name);
  return validity.tooShort && 'minLength' in field ? words.tooShort(name, field.minLength) : words.wrong(name);
}
