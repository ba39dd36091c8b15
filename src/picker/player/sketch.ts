// A sketch: a free drawing in the one hue of the sticker it stands in for, so that nobody takes it for the sticker.

/** The drawing in one hue, as light and dark as it was; of what is shown on a ground nothing is as dark or light as that. */
export function tint(still: ImageBitmap, color: string, ground?: 'dark' | 'light'): OffscreenCanvas {
  const canvas = new OffscreenCanvas(still.width, still.height);
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  const fill = (operation: GlobalCompositeOperation, style: string) => {
    context.globalCompositeOperation = operation;
    context.fillStyle = style;
    context.fillRect(0, 0, canvas.width, canvas.height);
  };
  context.drawImage(still, 0, 0);
  // The hue and strength of the color, the lightness of the drawing.
  fill('color', color);
  if (ground === 'dark') fill('lighten', LEAST_LIGHT);
  if (ground === 'light') fill('darken', MOST_LIGHT);
  // Blending also filled what was empty.
  context.globalCompositeOperation = 'destination-in';
  context.drawImage(still, 0, 0);
  return canvas;
}

const LEAST_LIGHT = '#77777f';
const MOST_LIGHT = '#e6e6ea';
