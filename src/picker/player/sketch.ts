// A sketch: a free drawing in the one hue of the sticker it stands in for, so that nobody takes it for the sticker.

/** Makes what is drawn one hue, as light and dark as it was. */
export function tint(context: CanvasRenderingContext2D, color: string): void {
  const { width, height } = context.canvas;
  context.save();
  // The hue and strength of the color, the lightness of the drawing.
  context.globalCompositeOperation = 'color';
  context.fillStyle = color;
  context.fillRect(0, 0, width, height);
  context.restore();
}
