import type { Texts } from '../texts/en/en.ts';
import { toPaper } from './paper.tsx';
import type { Taken } from './taken.ts';

/** Opens the dialog of the browser that prints what is taken out, in the place of the page. */
export async function printTaken(taken: Taken, texts: Texts): Promise<void> {
  const paper = await toPaper(taken, texts);
  paper.classList.add('printout');
  document.querySelector('.printout')?.remove();
  document.body.append(paper);
  // A picture that is not decoded is an empty place on paper. One that cannot be is none.
  await Promise.allSettled([...paper.querySelectorAll('img')].map((image) => image.decode()));
  // A browser that prints later, as Safari does, ends with the event, too.
  addEventListener('afterprint', () => paper.remove(), { once: true });
  print();
}
