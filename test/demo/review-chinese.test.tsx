import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import type { Review } from 'brooklet/review';
import { chineseReview, englishReview } from 'brooklet/ui';
import type { ReactElement } from 'react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OpenFile } from '../../demo/src/review/OpenFile.tsx';
import { ReviewBoard } from '../../demo/src/review/ReviewBoard.tsx';
import { useAnnotations } from '../../demo/src/review/useAnnotations.ts';
import { reviewEn } from '../../demo/src/texts/en/review.ts';
import {
  loadReviewLabels,
  loadReviewZh,
  ReviewLabelsContext,
  ReviewTextsContext,
} from '../../demo/src/texts/reviewTexts.ts';
import { reviewZh } from '../../demo/src/texts/zh/review.ts';
import { recordedReview } from '../review/recorded.ts';

// jsdom has no layout.
beforeEach(() => void Object.assign(Element.prototype, { scrollIntoView() {} }));
afterEach(cleanup);

/** The texts of a language without a gap. */
function sentencesOf(texts: object): readonly string[] {
  return Object.values(texts).flatMap((text: unknown) =>
    typeof text === 'string' ? [text] : typeof text === 'object' && text !== null ? sentencesOf(text) : [],
  );
}

const chinese = new Set([...sentencesOf(reviewZh), ...sentencesOf(chineseReview)]);
const english = new Set(
  [...sentencesOf(reviewEn), ...sentencesOf({ ...englishReview, locale: {} })].filter((text) => !chinese.has(text)),
);

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

function Board({ review }: { readonly review: Review }): ReactElement {
  const notes = useAnnotations({ store: undefined, sessionId: undefined, inFile: undefined });
  return (
    <ReviewBoard
      review={review}
      source={[]}
      sessionId={undefined}
      problem={undefined}
      notes={notes}
      onLeave={() => {}}
    />
  );
}

test('every view of a review is in Chinese', async () => {
  expect(await loadReviewZh()).toBe(reviewZh);
  expect(await loadReviewLabels()).toBe(chineseReview);
  const review = await recordedReview();
  await act(async () =>
    render(
      <ReviewTextsContext value={reviewZh}>
        <ReviewLabelsContext value={chineseReview}>
          <Board review={review} />
        </ReviewLabelsContext>
      </ReviewTextsContext>,
    ),
  );
  const { label: _label, ...views } = chineseReview.views;
  const found: Record<string, readonly string[]> = {};
  for (const [index, name] of Object.values(views).entries()) {
    await act(async () => void fireEvent.keyDown(document.body, { key: String(index + 1) }));
    const shown = screen.getByRole('region', { name });
    for (const summary of shown.querySelectorAll<HTMLDetailsElement>('details')) summary.open = true;
    await act(async () => {});
    found[name] = englishInPage();
  }
  await act(async () => void fireEvent.keyDown(document.body, { key: 'm' }));
  await act(async () => void fireEvent.keyDown(document.body, { key: 'Home' }));
  found['compared'] = englishInPage();
  await act(async () => void fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'pay' } }));
  expect(document.querySelector('.bk-matches')?.textContent).toContain('找到');
  found['search'] = englishInPage();
  expect(Object.entries(found).filter(([, texts]) => texts.length > 0)).toEqual([]);
});

test('a file that cannot be read says so in Chinese', async () => {
  const { container } = render(
    <ReviewTextsContext value={reviewZh}>
      <OpenFile onOpen={() => {}} />
    </ReviewTextsContext>,
  );
  const input = container.querySelector<HTMLInputElement>('input[type=file]') ?? expect.unreachable();
  fireEvent.change(input, { target: { files: { item: () => new File(['{"a":1}'], 's.jsonl') } } });
  expect((await screen.findByRole('alert')).textContent).toMatch(/^此文件中没有会话。第 1 行：format /u);
  expect(englishInPage()).toEqual([]);
});
