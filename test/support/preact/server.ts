// Takes the place of `react-dom/server` where the tests of `brooklet/ui` run with Preact, which has its renderer for servers in another package.

import { type ComponentChild, render } from 'preact';

export function renderToString(shown: ComponentChild): string {
  const place = document.createElement('div');
  render(shown, place);
  const { innerHTML } = place;
  render(null, place);
  return innerHTML;
}
