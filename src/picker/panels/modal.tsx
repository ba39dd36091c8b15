// A dialog over the page: Esc closes it, and the focus goes back to where it was.

import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface ModalProps {
  readonly title: string;
  readonly class?: string;
  readonly children: ComponentChildren;
  onClose(this: void): void;
}

export function Modal({ title, children, onClose, ...props }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={`modal ${props.class ?? ''}`}
      aria-labelledby={heading}
      onClose={onClose}
      onClick={(event) => {
        // Outside of what is in it.
        if (event.target === dialog.current) onClose();
      }}
    >
      <div class="modal-body">
        <h2 id={heading}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
