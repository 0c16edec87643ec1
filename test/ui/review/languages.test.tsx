import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { chineseReview, englishReview, ReviewView } from 'brooklet/ui';
import { afterEach, expect, test } from 'vitest';
import { recordedReview } from '../../review/recorded.ts';

afterEach(cleanup);

/** The texts of a language without a gap. */
function sentencesOf(texts: object): readonly string[] {
  return Object.entries(texts).flatMap(([key, text]: [string, unknown]) => {
    if (key === 'parts' || key === 'locale') return [];
    if (typeof text === 'string') return [text];
    return typeof text === 'object' && text !== null ? sentencesOf(text) : [];
  });
}

const chinese = new Set(sentencesOf(chineseReview));
const english = new Set(sentencesOf(englishReview).filter((text) => !chinese.has(text)));

/** Returns all texts, labels, titles and placeholders of the page that are sentences of the English review. */
function englishInPage(): readonly string[] {
  const shown: string[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) shown.push(node.data.trim());
    else if (node instanceof Element)
      for (const name of ['aria-label', 'title', 'placeholder']) shown.push(node.getAttribute(name) ?? '');
  }
  // The role of a message is what the model was sent.
  return shown.filter((text) => english.has(text) && text !== 'user');
}

test('every view of a review is in Chinese', async () => {
  const review = await recordedReview();
  render(<ReviewView log={review} labels={chineseReview} keys="page" onAnnotate={() => {}} />);
  const { label: _label, ...views } = chineseReview.views;
  const found: Record<string, readonly string[]> = {};
  for (const [index, name] of Object.values(views).entries()) {
    await act(async () => void fireEvent.keyDown(document.body, { key: String(index + 1) }));
    const region = screen.getByRole('region', { name });
    for (const summary of region.querySelectorAll<HTMLDetailsElement>('details')) summary.open = true;
    await act(async () => {});
    found[name] = englishInPage();
  }
  await act(async () => void fireEvent.keyDown(document.body, { key: 'm' }));
  await act(async () => void fireEvent.keyDown(document.body, { key: 'Home' }));
  found['compared'] = englishInPage();
  await act(async () => void fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'pay' } }));
  await screen.findByText(/^找到 \d+ 处$/);
  found['search'] = englishInPage();
  expect(Object.entries(found).filter(([, texts]) => texts.length > 0)).toEqual([]);
});

test('a page replaces single texts, of the review and of the parts in it', async () => {
  const review = await recordedReview();
  const labels = { seen: { title: 'The chat' }, parts: { tool: { title: (name: string) => `Tool ${name}` } } };
  render(<ReviewView log={review} labels={labels} />);
  const seen = screen.getByRole('region', { name: 'The chat' });
  expect(seen.textContent).toContain('Tool pay');
  screen.getByRole('region', { name: 'What the log has' });
});
