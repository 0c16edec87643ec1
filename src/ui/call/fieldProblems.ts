import type { Labels } from '../labels/english.ts';

/** Returns what is wrong with the fields of a form, by their names, in the order of the form. */
export function fieldProblems(form: HTMLFormElement, labels: Labels['form']): ReadonlyMap<string, string> {
  const problems = new Map<string, string>();
  for (const element of form.elements) {
    if (!isField(element) || element.validity.valid) continue;
    problems.set(element.name, describe(element.validity, labels) ?? element.validationMessage);
  }
  return problems;
}

/** Moves the focus to the field of a name. */
export function focusField(form: HTMLFormElement | null, name: string): void {
  for (const element of form?.elements ?? []) {
    if (!isField(element) || element.name !== name) continue;
    element.focus();
    return;
  }
}

type FormField = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

function isField(element: Element): element is FormField {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  );
}

function describe(validity: ValidityState, labels: Labels['form']): string | undefined {
  if (validity.badInput) return labels.notNumber;
  if (validity.valueMissing) return labels.required;
  return validity.stepMismatch ? labels.notInteger : undefined;
}
