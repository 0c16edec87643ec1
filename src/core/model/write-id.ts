// The id of a write is `<lineage>/<name>`. All writes of one log have the same lineage; who replaces the past of a log begins another.

/** Returns the id of a write. @param name unique within the lineage */
export function toWriteId(lineage: string, name: string | number = 0): string {
  return `${lineage}/${name}`;
}

/** Returns the lineage of the log that ends with this write; `undefined` where the write has no id. */
export function lineageOf(writeId: string | undefined): string | undefined {
  return writeId?.split('/', 1)[0];
}
