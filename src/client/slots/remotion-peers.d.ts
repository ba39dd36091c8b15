// What `remotion.ts` uses of the user's own React and Remotion, which svcd does not install.

declare module 'react' {
  export type CSSProperties = Readonly<Record<string, string | number | undefined>>;
  export interface ReactElement {
    readonly props: unknown;
  }
  export function createElement(type: unknown, props: object | null, ...children: unknown[]): ReactElement;
  export function useState<T>(): [T | undefined, (next: () => T) => void];
  export function useState<T>(initial: () => T): [T, (next: () => T) => void];
  export function useEffect(effect: () => void | (() => void), on: readonly unknown[]): void;
}

declare module 'remotion' {
  export const Audio: unknown;
  export const Freeze: unknown;
  export const Img: unknown;
  export function staticFile(path: string): string;
  export function useCurrentFrame(): number;
  export function useVideoConfig(): { readonly fps: number; readonly durationInFrames: number };
  export function useDelayRender(): {
    delayRender(this: void, label: string): number;
    continueRender(this: void, handle: number): void;
    cancelRender(this: void, error: unknown): void;
  };
}

declare module '@remotion/lottie' {
  export const Lottie: unknown;
}
