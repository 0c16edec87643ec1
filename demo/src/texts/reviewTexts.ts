import { englishReview, type ReviewLabels } from 'brooklet/ui';
import { createContext, useContext } from 'react';
import { reviewEn, type ReviewTexts } from './en/review.ts';

/** The texts of the review inside. Default: English. */
export const ReviewTextsContext = createContext<ReviewTexts>(reviewEn);

/** Returns the texts of the review in the language of the page. */
export function useReviewTexts(): ReviewTexts {
  return useContext(ReviewTextsContext);
}

let chinese: Promise<ReviewTexts> | undefined;

/** Loads the texts of the review in Chinese; English if they cannot be loaded. Returns the same promise each time. */
export function loadReviewZh(): Promise<ReviewTexts> {
  chinese ??= import('./zh/review.ts').then(
    ({ reviewZh }) => reviewZh,
    () => {
      chinese = undefined;
      return reviewEn;
    },
  );
  return chinese;
}

/** The texts of the `ReviewView` of the package inside. Default: English. */
export const ReviewLabelsContext = createContext<ReviewLabels>(englishReview);

/** Returns the texts of `ReviewView` in the language of the page. */
export function useReviewLabels(): ReviewLabels {
  return useContext(ReviewLabelsContext);
}

let labels: Promise<ReviewLabels> | undefined;

/** Loads the texts of `ReviewView` in Chinese; English if they cannot be loaded. Returns the same promise each time. */
export function loadReviewLabels(): Promise<ReviewLabels> {
  labels ??= import('./zh/reviewLabels.ts').then(
    ({ chineseReview }) => chineseReview,
    () => {
      labels = undefined;
      return englishReview;
    },
  );
  return labels;
}
