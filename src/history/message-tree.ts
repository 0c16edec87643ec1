/** A message of a program that keeps versions: it names the message before. */
export interface TreeNode<T> {
  readonly id: string;
  /** Id of the message before; empty for the first. */
  readonly parent: string;
  readonly value: T;
}

/**
 * Returns the messages in the order in which they can be read: each after the one before it, a version with all that follows before the next
 * version. A message whose parent is missing, or that is its own ancestor, begins the conversation.
 */
export function inTreeOrder<T>(nodes: readonly TreeNode<T>[]): readonly TreeNode<T>[] {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const children = new Map<string, TreeNode<T>[]>();
  for (const node of nodes) {
    const parent = byId.has(node.parent) && node.parent !== node.id ? node.parent : '';
    const siblings = children.get(parent);
    if (siblings) siblings.push(node);
    else children.set(parent, [node]);
  }
  const ordered = new Set<TreeNode<T>>();
  const visit = (root: TreeNode<T>): void => {
    const todo = [root];
    for (let node = todo.pop(); node !== undefined; node = todo.pop()) {
      if (ordered.has(node)) continue;
      ordered.add(node);
      todo.push(...(children.get(node.id) ?? []).toReversed());
    }
  };
  for (const root of children.get('') ?? []) visit(root);
  for (const node of nodes) visit(node);
  return [...ordered];
}
