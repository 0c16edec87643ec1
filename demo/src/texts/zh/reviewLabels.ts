// In a file of its own, so that a page in English does not load it.
export { chineseReview } from 'brooklet/ui';
