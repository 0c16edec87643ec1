import type { AgentError } from '../core/error.ts';
import type { ToolWait } from './protocol.ts';

/**
 * Why a page drives its runs itself. `no-shared-worker`: the browser has none. `refused`: the constructor threw, for a policy of the page for example.
 * `failed`: the script could not be loaded, or the worker has ended several times. `silent`: the worker did not answer. `other-version`: it speaks another protocol.
 * `no-locks`: the browser has no Web Locks, which need HTTPS or localhost. `no-store`: the agent has no store, or one that other pages cannot read.
 * `no-key`: a vault encrypts the sessions, and the browser sends no key to the worker (WebKit, to a shared one).
 */
export type PageReason =
  | 'no-shared-worker'
  | 'refused'
  | 'failed'
  | 'silent'
  | 'other-version'
  | 'no-locks'
  | 'no-store'
  | 'no-key';

/** Where the runs of a connected agent are driven. */
export type HostStatus =
  /** The worker is being started; verbs wait for it. */
  | { readonly state: 'connecting' }
  | {
      readonly state: 'worker';
      /**
       * What the runs of the worker outlive: `pages`, also the last page of the origin, by up to five minutes (`extendedLifetime`, Chrome and Edge from
       * 148 on); `page`, this page while another one is open; `nothing`, for a dedicated worker.
       */
      readonly outlives: 'pages' | 'page' | 'nothing';
      /** The calls that wait for a page with their tool. */
      readonly waits: readonly ToolWait[];
    }
  /** This page drives, as it does without a worker: a run ends with the page, and `resume` continues it. */
  | { readonly state: 'page'; readonly reason: PageReason; readonly error?: AgentError }
  /** `disconnect` was called: verbs reject. */
  | { readonly state: 'disconnected' };
