// What the page and the worker that makes files say to each other. Every order is answered before the next is sent.

import type { Look } from '../grid/tile.js';

/** `mov` has frames of ProRes 4444, `movpng` of PNG. */
export type MovingKind = 'gif' | 'apng' | 'png' | 'mov' | 'movpng';

/** To the worker. `background` is a color, or empty for none. */
export type ExportOrder =
  | {
      readonly do: 'begin';
      readonly kind: MovingKind;
      readonly width: number;
      readonly height: number;
      readonly background: string;
      /** Frames a second, of a kind that tells no delays. */
      readonly rate: number;
    }
  | { readonly do: 'frame'; readonly bitmap: ImageBitmap; readonly delayMs: number }
  | { readonly do: 'end' }
  | { readonly do: 'zip'; readonly files: readonly { readonly name: string; readonly blob: Blob }[] }
  | { readonly do: 'sheet'; readonly items: readonly SheetItem[]; readonly columns: number; readonly title: string };

/** One sticker on a contact sheet. A stand-in says there too that it is one. */
export interface SheetItem {
  readonly title: string;
  readonly note: string;
  readonly look: Look;
  readonly label: string;
  readonly word: string;
  /** `#rrggbb` */
  readonly color: string;
  readonly bitmap: ImageBitmap | undefined;
}

export type ExportAnswer =
  | { readonly ok: true; readonly bytes: number }
  | { readonly file: Blob }
  | { readonly files: readonly Blob[] }
  | { readonly error: string };
