import type { EngineName, Programs } from '../../../scripts/find-engines.mjs';

/** A running browser with a profile of its own. The tests of every engine use this interface alone. */
export interface Engine {
  readonly name: EngineName;
  /** As the browser states it, e.g. `153.7.0`. */
  readonly version: string;
  /** Opens an empty tab. */
  open(): Promise<EngineTab>;
  /** Ends all processes of the browser and removes its profile. */
  close(): Promise<void>;
}

/** One tab. Methods reject where the browser refuses; `click` and `type` wait up to 15 s for their element. */
export interface EngineTab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  url(): Promise<string>;
  /**
   * Runs a function in the page and resolves with its result, awaited if it is a Promise. Arguments and result pass as JSON: `undefined`
   * arrives as `null`. The function sees its arguments and the globals of the page, and nothing of the test.
   */
  run<Args extends readonly unknown[], Result>(
    work: (...args: Args) => Result | Promise<Result>,
    ...args: Args
  ): Promise<Result>;
  click(css: string): Promise<void>;
  /** Writes into a field, key by key. A line feed is the Enter key. */
  type(css: string, text: string): Promise<void>;
  /** Presses the mouse where a point of the page's area is, in CSS px. Twice is a double click. */
  clickAt(x: number, y: number, times?: 1 | 2): Promise<void>;
  /** Types into the focused element, key by key. A line feed is the Enter key. */
  write(text: string): Promise<void>;
  /** Presses one key, as `KeyboardEvent.key` names it, in the focused element. */
  press(key: Key): Promise<void>;
  /** The size of the page's area in CSS px, as near as the browser allows. */
  resize(width: number, height: number): Promise<void>;
  /** Returns a PNG of what is visible. */
  screenshot(): Promise<Buffer>;
  close(): Promise<void>;
  /** Uncaught errors and errors in the console so far. Empty where the engine reports none (`reportsProblems`). */
  problems(): readonly string[];
  readonly reportsProblems: boolean;
}

export type Key = 'Enter' | 'Escape' | 'Tab';

/** How an engine is started. */
export interface StartOptions {
  readonly programs: Programs;
  /** Size of the window in CSS px. Default: 1100 × 800. */
  readonly width?: number;
  readonly height?: number;
  /** Whether all windows are private. Firefox alone: that of WebKitGTK, `webkit`, is as one always. */
  readonly isPrivate?: boolean;
  /** Features that WebKitGTK has switched off, by their names in WebKit. Other engines ignore them. */
  readonly features?: readonly string[];
}

/** The text of a program that runs a function in the page: its value is a Promise of JSON. */
export const toProgram = (work: (...args: never[]) => unknown, args: readonly unknown[]): string =>
  `Promise.resolve((${String(work)})(...${JSON.stringify(args)})).then((value) => JSON.stringify(value ?? null))`;

/**
 * Reads the result of `toProgram`: what the function returned, which only the caller knows.
 *
 * @param json as the browser has returned it
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type of what has passed as JSON
export function fromJson<Result>(json: unknown): Result {
  if (typeof json !== 'string') throw new TypeError(`The page returned ${typeof json} instead of JSON.`);
  return JSON.parse(json) as Result;
}
