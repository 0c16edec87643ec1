// What three engines do with the IndexedDB transactions of a page that is left, and on a full disk. Measured with the rows of test/engines/idb-rows,
// which `engine-profiles.test.ts` plays against these profiles and `npm run test:engines` against the engines.

/** The engines that a profile stands for. */
export const engineNames = ['chromium', 'firefox', 'webkit'] as const;

export type EngineName = (typeof engineNames)[number];

/**
 * `open`: they wait, and block those of other pages over the same stores, until the page comes back, aborts them, or ends. `yields`: they wait, and the
 * page is dropped from the page cache as soon as they would block another page. `unheard`: they are committed, and the page never hears of what ended
 * while it was put aside, of its other transactions neither.
 */
type Aside = 'open' | 'yields' | 'unheard';

/** How an engine differs from the standard, or from the others where the standard leaves the choice. */
export interface EngineProfile {
  readonly name: EngineName;
  /**
   * Whether the puts and adds that a page begins while it is left (`pagehide`, `visibilitychange`, `unload`) are dropped. Deletes are executed, and
   * `commit()` commits what is left.
   */
  readonly dropsLastPuts: boolean;
  /**
   * Whether a committed transaction of deletes and puts that is in flight when its page is left can lose its later puts and keep its deletes. A
   * transaction of puts alone is whole or absent.
   */
  readonly tears: boolean;
  /** What happens to the transactions without `commit()`, reads included, of a page that is navigated away from. */
  readonly aside: Aside;
  /** Whether a connection that met a full disk refuses every later request. */
  readonly breaksWhenFull: boolean;
}

const standard = { dropsLastPuts: false, tears: false, breaksWhenFull: false };

export const engineProfiles: Readonly<Record<EngineName, EngineProfile>> = {
  chromium: { name: 'chromium', aside: 'yields', ...standard },
  firefox: { name: 'firefox', aside: 'unheard', ...standard, breaksWhenFull: true },
  webkit: { name: 'webkit', dropsLastPuts: true, tears: true, aside: 'open', breaksWhenFull: false },
};
