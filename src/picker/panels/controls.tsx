// What panels are made of: buttons, choices among a few, and what is said of a thing that went wrong.

import type { Signal } from '@preact/signals';
import type { ComponentChildren, ComponentProps } from 'preact';
import { settings } from '../store.js';
import { words } from '../words/words.js';

/** A button that sends no form. */
export function Button(props: ComponentProps<'button'>) {
  return <button type="button" {...props} />;
}

interface ChoiceProps {
  readonly on: boolean;
  /** The filter that it changes. */
  readonly of?: string;
  readonly children: ComponentChildren;
  onPick(this: void): void;
}

export function Choice({ on, of, children, onPick }: ChoiceProps) {
  return (
    <Button class="choice" aria-pressed={on} data-filter={of} onClick={onPick}>
      {children}
    </Button>
  );
}

interface SelectProps<T extends string | number> {
  /** The filter that it changes. */
  readonly of?: string;
  readonly label: string;
  readonly value: T;
  readonly options: readonly (readonly [value: T, label: string])[];
  onPick(this: void, value: T): void;
}

/** One of several, in a list that opens. */
export function Select<T extends string | number>({ of, label, value, options, onPick }: SelectProps<T>) {
  return (
    <label class="pick">
      <span>{label}</span>
      <select
        value={value}
        data-filter={of}
        onChange={(event) => {
          const [picked] = options[event.currentTarget.selectedIndex] ?? [];
          if (picked !== undefined) onPick(picked);
        }}
      >
        {options.map(([one, text]) => (
          <option key={one} value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}

interface NamedSelectProps<T extends string> {
  readonly of: Signal<T>;
  readonly label: string;
  /** Of each value, in their order. */
  readonly names: Readonly<Record<T, string>>;
}

/** The same, for what is kept in a signal. */
export function NamedSelect<T extends string>({ of, label, names }: NamedSelectProps<T>) {
  const options = Object.entries(names) as [T, string][];
  return <Select {...{ label, options }} value={of.value} onPick={(value) => (of.value = value)} />;
}

/** Whether single letters act in the grid. */
export function LettersSwitch() {
  const { letters } = settings;
  return (
    <label class="switch">
      <input
        type="checkbox"
        checked={letters.value}
        onChange={(event) => (letters.value = event.currentTarget.checked)}
      />
      {words.value.letters}
    </label>
  );
}

/** What went wrong, where something did. */
export function Problem({ children = '' }: { readonly children: string | undefined }) {
  if (children === '') return null;
  return (
    <p class="bad" role="alert">
      {children}
    </p>
  );
}
