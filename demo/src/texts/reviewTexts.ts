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
