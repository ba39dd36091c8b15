// A menu that opens where its button is.

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

interface MenuProps {
  /** Where what is shown does not say it. */
  readonly label?: string;
  readonly shown: ComponentChildren;
  /** What is in it; `act` closes it before what it was given is done. */
  children(this: void, act: (run: () => void) => () => void): ComponentChildren;
}

/** A menu that Escape closes, and the focus where it leaves it. */
export function Menu({ label, shown, children }: MenuProps) {
  const menu = useRef<HTMLDetailsElement>(null);
  const close = () => {
    if (menu.current !== null) menu.current.open = false;
  };
  return (
    <details
      ref={menu}
      class="menu"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || menu.current?.open !== true) return;
        event.stopPropagation();
        close();
        menu.current.querySelector('summary')?.focus();
      }}
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && menu.current?.contains(event.relatedTarget))) close();
      }}
    >
      <summary aria-label={label}>{shown}</summary>
      <div
        onMouseDown={(event) => {
          // What is typed is told when the click is over: what it changes would move the button from under the pointer.
          if (event.target instanceof Element && event.target.closest('button') !== null) event.preventDefault();
        }}
      >
        {children((run) => () => {
          if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
          close();
          run();
        })}
      </div>
    </details>
  );
}
