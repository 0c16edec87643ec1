/** Characters of an input or a result that a card shows. */
export const maxText = 20_000;
/** Fields of an input that are shown one by one; more of them are shown as JSON. */
export const maxInputFields = 100;
/** Files of a list that a card shows. */
export const maxFiles = 200;
/** Lines of a diff that are shown. */
export const maxDiffLines = 1_000;
/** Lines of a text above which all lines count as changed: the comparison is quadratic. */
export const maxCompared = 600;
