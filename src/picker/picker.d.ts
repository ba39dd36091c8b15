// What the build puts in, and the part of lottie-web that is used.

declare module '*.css';

/** Addresses of the worker that draws, and of the one that makes files. */
declare const WORKER_FILE: string;
declare const EXPORT_WORKER_FILE: string;
/** Address of the style that is loaded late. */
declare const LATE_STYLE: string;
/** What styles are called (data/styles.json). */
declare const STYLE_NAMES: Readonly<Record<string, { readonly en: string; readonly zh: string } | undefined>>;

declare module 'gifenc' {
  type Palette = number[][];
  export function GIFEncoder(): {
    writeFrame(
      indices: Uint8Array,
      width: number,
      height: number,
      options: {
        readonly palette: Palette;
        readonly delay: number;
        readonly dispose: number;
        readonly transparent: boolean;
        readonly transparentIndex: number;
      },
    ): void;
    finish(): void;
    bytesView(): Uint8Array<ArrayBuffer>;
  };
  export function quantize(rgba: Uint8ClampedArray, most: number, options: { readonly format: 'rgb565' }): Palette;
  export function applyPalette(rgba: Uint8ClampedArray, palette: Palette, format: 'rgb565'): Uint8Array;
}

declare module 'lottie-web/build/player/lottie_light_canvas.min.js' {
  export interface CanvasAnimation {
    readonly isLoaded: boolean;
    readonly totalFrames: number;
    readonly frameRate: number;
    goToAndStop(frame: number, isFrame: true): void;
    resize(): void;
    destroy(): void;
    addEventListener(event: 'DOMLoaded' | 'data_failed', listener: () => void): void;
  }
  const lottie: {
    loadAnimation(options: {
      readonly renderer: 'canvas';
      readonly loop: boolean;
      readonly autoplay: boolean;
      readonly animationData: object;
      readonly rendererSettings: object;
    }): CanvasAnimation;
  };
  export default lottie;
}
