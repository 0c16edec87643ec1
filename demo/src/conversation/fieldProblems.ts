import type { Texts } from '../texts/en/en.ts';

/** Returns what is wrong with the fields of a form, by their names, in the order of the form. */
export function fieldProblems(form: HTMLFormElement, words: Texts['question']): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  for (const element of form.elements) {
    if (!isField(element) || element.name === '' || element.validity.valid) continue;
    problems.set(element.name, describe(element.validity, words) ?? element.validationMessage);
  }
  return problems;
}

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function isField(element: Element): element is FormField {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

function describe(validity: ValidityState, words: Texts['question']): string | undefined {
  if (validity.badInput) return words.notNumber;
  if (validity.valueMissing) return words.required;
  return validity.stepMismatch ? words.notInteger : undefined;
}
