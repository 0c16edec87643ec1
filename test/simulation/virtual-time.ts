/** The clock and the only queue of tasks of a simulation: one task runs at a time, and then all promises settle. */
export interface VirtualTime {
  /** ms since the start of the simulation. */
  now(): number;
  /** Calls `task` after `ms`. Tasks of the same time run in the order of these calls. Returns a function that cancels the task. */
  after(ms: number, task: () => void): () => void;
  /** Runs all tasks that are due within the next `ms`. */
  pass(ms: number): Promise<void>;
  /** Runs tasks until none is left, at most for `ms`. Returns whether none is left. */
  rest(ms: number): Promise<boolean>;
}

interface Task {
  readonly at: number;
  readonly run: () => void;
}

/** Tasks of one simulation, at most: more means that something repeats forever. */
const mostTasks = 30_000;

/** The bundle of the simulation replaces the timers of all other code by virtual ones (`scripts/simulation/bundle.mjs`). */
const realImmediate: (task: () => void) => void = Reflect.get(globalThis, ['set', 'Immediate'].join(''));

/**
 * Creates a clock that stands still until it is told to pass.
 *
 * @param onError receives what a task throws
 */
export function createVirtualTime(onError: (thrown: unknown) => void): VirtualTime {
  let now = 0;
  let count = 0;
  /** Sorted by time. */
  const tasks: Task[] = [];

  function after(ms: number, run: () => void): () => void {
    const task: Task = { at: now + Math.max(0, ms), run };
    let place = tasks.length;
    while (place > 0 && (tasks[place - 1]?.at ?? 0) > task.at) place--;
    tasks.splice(place, 0, task);
    return () => {
      const index = tasks.indexOf(task);
      if (index >= 0) tasks.splice(index, 1);
    };
  }

  async function runUntil(end: number): Promise<void> {
    await settle();
    for (let [task] = tasks; task !== undefined && task.at <= end; [task] = tasks) {
      if (++count > mostTasks) throw new Error(`The simulation does not come to rest: ${mostTasks} tasks have run.`);
      tasks.shift();
      now = Math.max(now, task.at);
      try {
        task.run();
      } catch (thrown) {
        onError(thrown);
      }
      await settle();
    }
  }

  return {
    now: () => now,
    after,
    async pass(ms) {
      const end = now + ms;
      await runUntil(end);
      now = end;
    },
    async rest(ms) {
      await runUntil(now + ms);
      return tasks.length === 0;
    },
  };
}

/** Resolves when every pending promise has settled: Node runs all microtasks before the next immediate. */
function settle(): Promise<void> {
  return new Promise((resolve) => realImmediate(resolve));
}
