import { type Context, createContext, useContext } from 'react';
import { type Formats, toFormats } from './formats.ts';
import { englishReview, type ReviewLabels } from './labels/english.ts';

/** Texts in the place of the English ones, by group. A group, or a text of it, that is missing stays English. */
export type ReviewLabelOverrides = {
  readonly [Group in keyof ReviewLabels]?: Partial<ReviewLabels[Group]> | undefined;
};

/** The texts of a review, and how numbers and times are written in its language. */
export interface ReviewTexts extends ReviewLabels {
  readonly formats: Formats;
}

/** Returns the English texts with those of the page in their places. */
export function toReviewTexts(given: ReviewLabelOverrides): ReviewTexts {
  const group = <Name extends keyof ReviewLabels>(name: Name): ReviewLabels[Name] => ({
    ...englishReview[name],
    ...given[name],
  });
  const locale = group('locale');
  return {
    locale,
    board: group('board'),
    keys: group('keys'),
    time: group('time'),
    outcomes: group('outcomes'),
    statuses: group('statuses'),
    deciders: group('deciders'),
    kinds: group('kinds'),
    views: group('views'),
    panes: group('panes'),
    seen: group('seen'),
    sent: group('sent'),
    logged: group('logged'),
    facts: group('facts'),
    markdown: group('markdown'),
    calls: group('calls'),
    usage: group('usage'),
    tree: group('tree'),
    context: group('context'),
    errors: group('errors'),
    notes: group('notes'),
    compare: group('compare'),
    parts: group('parts'),
    formats: toFormats(locale),
  };
}

/** The texts of the parts within a review. Default: English. */
export const ReviewTextsContext: Context<ReviewTexts> = createContext<ReviewTexts>(/* @__PURE__ */ toReviewTexts({}));

/** Returns the texts of the review around. */
export function useReviewTexts(): ReviewTexts {
  return useContext(ReviewTextsContext);
}

/** Returns the word for a name of the log; the name itself for one that a newer version has written. */
export function wordFor(words: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(words, name) ? (words[name] ?? name) : name;
}
