// The handful of templates that a sandbox begins with, and what their packages hold; each calls for something else.

import type { TemplateRelease } from './template-store.js';

export interface Scene {
  /** Seconds. */
  at: number;
  lasts: number;
  copy: string;
  wants: 'sticker' | 'image' | 'nothing';
}

export interface TemplateDesign {
  title: string;
  layout: 'landscape' | 'portrait' | 'square';
  durationS: number;
  /** As `service.capabilities` declares them: `images.generate`, `stickers.file`. */
  capabilities: readonly string[];
  scenes: readonly Scene[];
}

/** By name. */
export const TEMPLATE_DESIGNS: Readonly<Record<string, TemplateDesign>> = {
  'birthday-card': {
    title: '生日贺卡',
    layout: 'portrait',
    durationS: 12,
    capabilities: ['stickers.file', 'images.generate'],
    scenes: [
      { at: 0, lasts: 4, copy: '{{name}}，生日快乐', wants: 'sticker' },
      { at: 4, lasts: 8, copy: '{{wish}}', wants: 'image' },
    ],
  },
  'product-promo': {
    title: '产品促销',
    layout: 'landscape',
    durationS: 15,
    capabilities: ['stickers.file'],
    scenes: [
      { at: 0, lasts: 9, copy: '{{product}}', wants: 'sticker' },
      { at: 9, lasts: 6, copy: '{{price}}', wants: 'sticker' },
    ],
  },
  'story-cover': {
    title: '故事封面',
    layout: 'square',
    durationS: 6,
    capabilities: ['images.generate'],
    scenes: [{ at: 0, lasts: 6, copy: '{{title}}', wants: 'image' }],
  },
  'plain-captions': {
    title: '纯字幕',
    layout: 'landscape',
    durationS: 20,
    capabilities: [],
    scenes: [{ at: 0, lasts: 20, copy: '{{caption}}', wants: 'nothing' }],
  },
};

/** What is released from the start: enough to see every kind of notice and tip. */
export const FIRST_TEMPLATES: readonly TemplateRelease[] = [
  {
    template: 'birthday-card@1.0.0',
    known_issues: ['Captions of more than two lines cover the cake.'],
    tips: ['Keep the headline under 12 characters.'],
  },
  {
    template: 'birthday-card@1.1.0',
    known_issues: [],
    tips: ['Keep the headline under 12 characters.', 'Two stickers to a scene are enough.'],
  },
  { template: 'product-promo@2.0.0', known_issues: [], tips: ['Show the price in the last scene.'] },
  { template: 'story-cover@1.0.0', known_issues: [], tips: ['Say in the prompt where the title goes.'] },
  { template: 'plain-captions@1.0.0', known_issues: [], tips: [] },
];
