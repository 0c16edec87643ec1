/**
 * Copies a text that is ready after the click. WebKit lets a page write to the clipboard in the click alone, and takes the Promise of a text
 * there.
 */
export async function copyLater(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') return navigator.clipboard.writeText(await text);
  const type = 'text/plain';
  const blob = text.then((its) => new Blob([its], { type }));
  await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
}
