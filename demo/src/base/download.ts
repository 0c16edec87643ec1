/** Saves a text or a file, as the browser saves a download. */
export function download(content: string | Blob, name: string): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content]) : content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The download has begun when the click returns; the address is needed a little longer.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Returns the name of a file for a session: letters and digits of its title. */
export function nameOfFile(title: string, ending: string): string {
  const name = title
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/gu, '')
    .slice(0, 60);
  return `${name || 'session'}.${ending}`;
}
