// What the build puts in, and the part of lottie-web that is used.

declare module '*.css';

/** Address of the worker that draws. */
declare const WORKER_FILE: string;

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
