/** The reports of a tab to the test. Plain JSON: the page sends it to the test. */
export type News = { readonly origin: string } & (
  | {
      readonly type: 'stored';
      /** An acknowledged SessionWrite, as JSON. */
      readonly write: string;
    }
  /** A write was rejected: another tab wrote first. */
  | { readonly type: 'refused' }
  /** A tool is about to act. */
  | { readonly type: 'acts'; readonly callId: string }
);
