// How far apart two colors look. OKLab, in which equal distances look about equally different.

/** Lightness and two opponent axes of OKLab, times 100. */
export type Lab = readonly [lightness: number, greenRed: number, blueYellow: number];

/** A color given as `#rrggbb` in OKLab; undefined for anything else. */
export function parseColor(hex: string): Lab | undefined {
  if (!/^#[\da-f]{6}$/i.test(hex)) return undefined;
  const value = Number.parseInt(hex.slice(1), 16);
  return labOf(linear(value >> 16), linear((value >> 8) & 0xff), linear(value & 0xff));
}

/** 0 for the same color, about 2 for a difference one can just see, 100 from black to white. */
export function colorDistance(a: Lab, b: Lab): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** How far apart two colors are to whoever names them: of OKLCH hue counts most, for an orange is no red, and a dark red is one. */
export function namedDistance(a: Lab, b: Lab): number {
  const chroma = Math.hypot(a[1], a[2]) - Math.hypot(b[1], b[2]);
  const hue = Math.max(0, (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2 - chroma ** 2);
  return Math.sqrt((0.7 * (a[0] - b[0])) ** 2 + chroma ** 2 + 3.5 ** 2 * hue);
}

/** A byte of sRGB as light. */
function linear(byte: number): number {
  const share = byte / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}

// The matrices are those of Björn Ottosson's definition of OKLab.
function labOf(red: number, green: number, blue: number): Lab {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    100 * (0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short),
    100 * (1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short),
    100 * (0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short),
  ];
}

/** The color as `#rrggbb`, the nearest that a screen has. */
export function hexOf([lightness, greenRed, blueYellow]: Lab): string {
  const [l, a, b] = [lightness / 100, greenRed / 100, blueYellow / 100];
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  const light = [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
  return `#${light.map((one) => byteOf(one).toString(16).padStart(2, '0')).join('')}`;
}

/** Light as a byte of sRGB. */
function byteOf(light: number): number {
  const share = light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
  return Math.round(255 * Math.max(0, Math.min(1, share)));
}
