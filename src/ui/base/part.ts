/** The attributes by which a page and its style sheet find a part. */
export interface PartAttributes {
  readonly className: string;
  readonly 'data-part': string;
  readonly 'data-state'?: string;
  /** For `::part()` of a page around a shadow tree: the name of the part, and the name with its state. */
  readonly part: string;
}

/** Returns the attributes of a part: `data-part` and `part`, the class `bk-` with its name, the page's own class, and `data-state` where it has states. */
export function part(name: string, className?: string, state?: string): PartAttributes {
  return {
    className: className === undefined ? `bk-${name}` : `bk-${name} ${className}`,
    'data-part': name,
    part: state === undefined ? name : `${name} ${name}-${state}`,
    ...(state !== undefined && { 'data-state': state }),
  };
}
