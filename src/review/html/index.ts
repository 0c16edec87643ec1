// In the order in which to read it.
export { exportHtml, type HtmlOptions, type HtmlSource } from './export-html.ts';
