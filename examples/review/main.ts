import { extractTextContent } from 'brooklet';
import { createReview } from 'brooklet/review';
import { readExport } from 'brooklet/storage';
import { createElement } from '../shared/chat';

// Nothing runs and nothing is stored: the file is only read. Its text is shown as text.
const list = document.querySelector('main');

document.querySelector('input')?.addEventListener('change', async ({ target }) => {
  const file = target instanceof HTMLInputElement ? target.files?.[0] : undefined;
  if (!file || !list) return;
  const { sessions, problem } = await readExport(file);
  const steps = sessions.flatMap(({ events }) => createReview(events).steps);
  const rows = steps.map(({ index, model, request, answer, usage }) => {
    const summary = `Step ${index + 1}: ${model ?? 'unknown model'}, ${usage?.input ?? '?'} + ${usage?.output ?? '?'} tokens`;
    return createElement(
      'details',
      {},
      createElement('summary', { textContent: summary }),
      createElement('article', { textContent: answer ? extractTextContent(answer) : 'No answer' }),
      createElement('pre', { textContent: JSON.stringify(request, null, 2) ?? '' }),
    );
  });
  list.replaceChildren(...rows);
  if (problem) list.append(`The file can be read up to line ${problem.line}: ${problem.reason}`);
});
