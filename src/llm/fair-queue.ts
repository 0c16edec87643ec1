/** A queue in which the entries of several keys take turns, one at a time. */
export interface FairQueue {
  /**
   * Calls `start` when it is the entry's turn, synchronously if nothing runs. Returns a function that leaves the queue, or ends the turn.
   *
   * @param start gets a function that ends the turn
   */
  enter(key: string, start: (free: () => void) => void): () => void;
  /** Number of entries that wait. */
  readonly waiting: () => number;
}

interface Entry {
  readonly start: (free: () => void) => void;
}

/**
 * The next entry is of the key that was served longest ago, however many entries the others have.
 *
 * @param onChange called when the number of waiting entries has changed
 */
export function createFairQueue(onChange: () => void): FairQueue {
  /** The waiting entries by key. */
  const lines = new Map<string, Entry[]>();
  /** The turn in which a key was served last. */
  const served = new Map<string, number>();
  let turns = 0;
  let running: Entry | undefined;

  const lastTurn = (key: string): number => served.get(key) ?? 0;

  function advance(): void {
    if (running) return;
    const [next] = [...lines].toSorted(([one], [other]) => lastTurn(one) - lastTurn(other));
    if (next === undefined) return served.clear();
    const [key, [entry, ...rest]] = next;
    if (rest.length > 0) lines.set(key, rest);
    else lines.delete(key);
    if (entry === undefined) return advance();
    served.set(key, ++turns);
    running = entry;
    onChange();
    entry.start(() => end(entry));
  }

  function end(entry: Entry): void {
    if (running !== entry) return;
    running = undefined;
    advance();
  }

  return {
    enter(key, start) {
      const entry: Entry = { start };
      const line = lines.get(key) ?? [];
      line.push(entry);
      lines.set(key, line);
      onChange();
      advance();
      return () => {
        const waiting = lines.get(key);
        const index = waiting?.indexOf(entry) ?? -1;
        if (waiting && index >= 0) {
          waiting.splice(index, 1);
          if (waiting.length === 0) lines.delete(key);
          onChange();
        }
        end(entry);
      };
    },
    waiting: () => Array.from(lines.values()).flat().length,
  };
}
