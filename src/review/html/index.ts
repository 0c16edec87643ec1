// In the order in which to read it.
export { exportHTML, type HTMLOptions, type HTMLSource } from './export-html.ts';
