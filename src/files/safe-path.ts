/** Folders above a file, the file included. */
const maxDepth = 16;
/** Characters of a whole path. */
const maxLength = 1_000;

const bad = 'The path';

/**
 * Returns why a relative path is refused; `undefined` for a safe path. Paths come from models and from untrusted archives: a safe path has
 * no `..`, no root, no drive, no backslash, no control character and no name that an object has by itself.
 */
export function problemWithPath(path: string): string | undefined {
  if (path === '') return `${bad} is empty.`;
  if (path.length > maxLength) return `${bad} has more than ${maxLength} characters.`;
  if (/[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u.test(path)) return `${bad} contains a control character.`;
  if (path.includes('\\')) return `${bad} contains a backslash: write / between folders.`;
  if (path.startsWith('/') || /^[a-z]:/i.test(path)) return `${bad} is absolute: write it relative to the folder.`;
  const names = path.split('/');
  if (names.length > maxDepth) return `${bad} has more than ${maxDepth} levels.`;
  if (names.some((name) => name === '..' || name === '.')) return `${bad} contains . or .. as a folder.`;
  if (names.includes('')) return `${bad} contains an empty folder name.`;
  if (names.includes('__proto__')) return `${bad} contains the reserved name __proto__.`;
  return undefined;
}
