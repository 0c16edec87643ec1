/** In sessionStorage: a tab that is filmed or tested. */
export const paceKey = 'brooklet-studio:pace';

/**
 * Returns the factor of the pauses in the answers of the demo model: 1 is the speed of a real model, 0 is without pauses. A test of a page that
 * reads an answer to its end sets 0.
 */
export function readPace(): number {
  try {
    const pace = Number(sessionStorage.getItem(paceKey) ?? 1);
    return pace >= 0 ? pace : 1;
  } catch {
    return 1;
  }
}
