/** Rejects unless the exports of a solution do what the prompt of their task asks for. */
export type Check = (solution: unknown) => Promise<void>;

const modules = import.meta.glob<{ readonly check: Check }>('./checks/*', { eager: true });

/** The check of each task, by the name of the task. */
export const checks: Readonly<Record<string, Check>> = Object.fromEntries(
  Object.entries(modules).map(([path, { check }]) => [path.replace(/^.*\/|\.tsx?$/g, ''), check]),
);
