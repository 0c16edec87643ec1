/** What a tab tells the test while it lives. Plain JSON: it goes from the page to the test. */
export type News = { readonly origin: string } & (
  | {
      readonly type: 'stored';
      /** SessionWrite that was acknowledged, as JSON. */
      readonly write: string;
    }
  /** A write was refused: another tab was first. */
  | { readonly type: 'refused' }
  /** A tool is about to act. */
  | { readonly type: 'acts'; readonly callId: string }
);
