/**
 * Values in the order in which they were added, few at a time, each for a short time. A `Set` is
 * slower for this: V8 replaces its table again and again, and a replaced table refers to its
 * successor. Once such a table is in the old generation, it keeps all values that come after it
 * until the next full garbage collection, and every minor collection copies them.
 */
export class ShortList<T> implements Iterable<T> {
  private readonly values: T[] = [];

  add(value: T): void {
    this.values.push(value);
  }

  /** @returns whether the list contained the value */
  delete(value: T): boolean {
    const index = this.values.indexOf(value);
    if (index >= 0) this.values.splice(index, 1);
    return index >= 0;
  }

  [Symbol.iterator](): Iterator<T> {
    return this.values[Symbol.iterator]();
  }
}
