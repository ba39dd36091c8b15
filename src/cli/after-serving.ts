// What is done when a daemon has served to its end, when nobody waits any more; whoever loaded the program says what.

let task = (): void => undefined;

/** Sets what is done. */
export function doAfterServing(work: () => void): void {
  task = work;
}

/** Does it. */
export function noteServed(): void {
  task();
}
