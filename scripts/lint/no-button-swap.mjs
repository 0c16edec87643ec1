// Refuses two buttons that React draws in one element: `running ? <button>Stop</button> : <button>Send</button>`. The click that changes `running` then
// goes on in the other button: Stop sends the draft, since the element is a submit button by the time the browser acts on the click.
// Two keys make two elements; one button whose handler decides has one meaning at a time.

/** A node of a syntax tree: ESTree with JSX. @typedef {{ readonly type: string, readonly [field: string]: unknown }} Node */

/** @param {Node | undefined} node @param {string} field @returns {Node | undefined} */
const child = (node, field) => /** @type {Node | null | undefined} */ (node?.[field]) ?? undefined;
/** @param {Node | undefined} node @param {string} field @returns {readonly Node[]} */
const children = (node, field) => /** @type {readonly Node[] | undefined} */ (node?.[field]) ?? [];

/** A component that draws a button has a name that ends so, e.g. `IconButton`. @param {string} name */
const isButton = (name) => /(^|\.)button$|Button$/.test(name);

/** @param {Node | undefined} name of an element, e.g. `Menu.Button` @returns {string} */
const nameOf = (name) =>
  name?.type === 'JSXMemberExpression'
    ? `${nameOf(child(name, 'object'))}.${nameOf(child(name, 'property'))}`
    : String(name?.name);

/** The text of the key of an element; `undefined` without a key. @param {Node} element @param {(node: Node) => string} textOf */
function keyOf(element, textOf) {
  const key = children(child(element, 'openingElement'), 'attributes').find(
    (attribute) => attribute.type === 'JSXAttribute' && nameOf(child(attribute, 'name')) === 'key',
  );
  const value = child(key, 'value');
  return value && textOf(value);
}

/**
 * The elements of which one is drawn, by a condition.
 *
 * @param {Node | undefined} node
 * @returns {readonly Node[]}
 */
function alternativesOf(node) {
  /** @param {readonly string[]} fields */
  const inFields = (...fields) => fields.flatMap((field) => alternativesOf(child(node, field)));
  switch (node?.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return [node];
    case 'ConditionalExpression':
      return inFields('consequent', 'alternate');
    case 'LogicalExpression':
      // `isOpen && <button>`: the left side draws nothing that takes a click.
      return node.operator === '&&' ? inFields('right') : inFields('left', 'right');
    case 'JSXExpressionContainer':
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSNonNullExpression':
      return inFields('expression');
    default:
      return [];
  }
}

/** Whether a child of an element has a place in React's list: a line break has none. @param {Node} node */
const hasPlace = (node) =>
  !(node.type === 'JSXText' && /^\s*\n\s*$/.test(String(node.value))) &&
  child(node, 'expression')?.type !== 'JSXEmptyExpression';

/**
 * Returns the buttons of the second element that take the place of a button of the first one, as React compares the two.
 *
 * @param {Node} one
 * @param {Node} other
 * @param {(node: Node) => string} textOf
 * @returns {readonly Node[]}
 */
function swapsOf(one, other, textOf) {
  if (one.type !== other.type) return [];
  if (one.type === 'JSXElement') {
    const [name, otherName] = [one, other].map((element) => nameOf(child(child(element, 'openingElement'), 'name')));
    if (name === undefined || name !== otherName || keyOf(one, textOf) !== keyOf(other, textOf)) return [];
    if (isButton(name)) return [other];
  }
  const places = children(other, 'children').filter(hasPlace);
  return children(one, 'children')
    .filter(hasPlace)
    .flatMap((place, index) =>
      alternativesOf(place).flatMap((mine) =>
        alternativesOf(places[index]).flatMap((theirs) => swapsOf(mine, theirs, textOf)),
      ),
    );
}

/** Returns what a function returns, without the functions in it. @param {Node | undefined} node @returns {readonly Node[]} */
function returnsOf(node) {
  switch (node?.type) {
    case 'ReturnStatement':
      return [child(node, 'argument') ?? node];
    case 'BlockStatement':
      return children(node, 'body').flatMap(returnsOf);
    case 'IfStatement':
      return [child(node, 'consequent'), child(node, 'alternate')].flatMap(returnsOf);
    case 'SwitchStatement':
      return children(node, 'cases').flatMap((one) => children(one, 'consequent').flatMap(returnsOf));
    case 'TryStatement':
      return [child(node, 'block'), child(child(node, 'handler'), 'body')].flatMap(returnsOf);
    default:
      return [];
  }
}

const message =
  'React draws both buttons in one element: a click that changes the condition goes on in the other button. Give each a `key`, or draw one button whose handler decides.';

export const noButtonSwap = {
  meta: {
    type: 'problem',
    docs: { description: 'Refuses two buttons that React draws in one element.' },
    schema: [],
  },
  /** @param {{ readonly sourceCode: { getText(node: Node): string }, report(found: { readonly node: Node, readonly message: string }): void }} context */
  create(context) {
    const textOf = (/** @type {Node} */ node) => context.sourceCode.getText(node);
    /** @type {Set<Node>} */
    const reported = new Set();

    /** @param {readonly (readonly Node[])[]} choices lists of elements: one of one list is drawn */
    function check(choices) {
      const all = choices.flat();
      all.forEach((one, index) => {
        for (const other of all.slice(index + 1)) {
          for (const node of swapsOf(one, other, textOf)) {
            if (reported.has(node)) continue;
            reported.add(node);
            context.report({ node, message });
          }
        }
      });
    }

    const checkFunction = (/** @type {Node} */ node) => check(returnsOf(child(node, 'body')).map(alternativesOf));

    return {
      ConditionalExpression: (/** @type {Node} */ node) => check([alternativesOf(node)]),
      LogicalExpression: (/** @type {Node} */ node) => check([alternativesOf(node)]),
      FunctionDeclaration: checkFunction,
      FunctionExpression: checkFunction,
      ArrowFunctionExpression: checkFunction,
    };
  },
};
