import type { Observable } from 'rxjs';
import type { Agent } from '../core/agent/agent.ts';
import type { ToolTypes } from '../core/model/call.ts';
import type { HostStatus } from './host-status.ts';

/** How `ConnectedAgent.disconnect` ends. */
export interface DisconnectOptions {
  /**
   * `true` when the person signs out: the runs of the worker, of the workers of other builds, and of other pages of this name are cancelled, and the
   * workers forget sessions and keys. Default `false`: the worker continues.
   */
  readonly everywhere?: boolean;
}

/**
 * An agent whose runs a worker drives. For the hooks it is an `Agent` like any other. What differs: `send`, `resume`, `regenerate` and `compact` may
 * reject where those of a page throw, because the worker refuses; a run takes no `client` and no `scratch`; a session has no tools of its own; `setClient` throws `INVALID_CONFIG`.
 */
export interface ConnectedAgent<Tools extends ToolTypes = ToolTypes> extends Agent<Tools> {
  /** Where the runs are driven: by the worker, or by this page and why. Emits the current value on subscription. */
  readonly host$: Observable<HostStatus>;
  readonly getHost: () => HostStatus;
  /** Disconnects this page: its sessions are closed, as by `dispose`, and the worker continues their runs. Resolves when what this page knew is stored. */
  disconnect(options?: DisconnectOptions): Promise<void>;
}
