/** The names of tools that every service accepts: Gemini and Moonshot refuse every request with a name that begins with no letter. */
export const acceptedName: RegExp = /^[A-Za-z][\w-]{0,63}$/;

/** Returns a name that begins with a letter: the name itself, or the name after a prefix. */
export function withLetterFirst(name: string, prefix: string): string {
  return /^[A-Za-z]/.test(name) ? name : prefix + name;
}
