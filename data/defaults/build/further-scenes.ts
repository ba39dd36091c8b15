// More of the pack, so that most things have something of their kind to stand in: a drawing of Fluent Emoji each, with the
// title and keywords that the catalogue has for it.

import { readFileSync } from 'node:fs';
import type { Scene } from './scenes.js';

const NAMES = `
fish bird rabbit monkey horse pig cow rooster duck bear tiger lion elephant frog snake turtle dragon honeybee butterfly
lady-beetle spider whale dolphin octopus crab shrimp snail mouse-face ewe deer penguin paw-prints owl t-rex fox wolf koala
unicorn spiral-shell
deciduous-tree evergreen-tree palm-tree cactus four-leaf-clover mushroom sunflower tulip potted-plant sheaf-of-rice
maple-leaf lotus
bread pizza rice-ball egg cheese-wedge soft-ice-cream candy chocolate-bar cookie doughnut popcorn french-fries hot-dog
sandwich sushi green-salad meat-on-bone pot-of-food wine-glass cocktail-glass glass-of-milk teacup-without-handle
cup-with-straw honey-pot salt ear-of-corn carrot tomato potato hot-pepper eggplant leafy-green onion banana grapes
tangerine lemon peach pear cherries pineapple avocado coconut peanuts fork-and-knife-with-plate chopsticks spoon
kitchen-knife teapot bento-box
bus taxi passenger-ship sailboat motorcycle motor-scooter metro tram helicopter fire-engine police-car ambulance
fuel-pump stop-sign construction anchor parachute flying-saucer satellite wheel motorway railway-track bridge-at-night
p-button
office-building bank school factory hotel church shinto-shrine castle convenience-store post-office stadium camping tent
fountain statue-of-liberty classical-building houses hut cityscape building-construction ferris-wheel carousel-horse
playground-slide roller-coaster circus-tent tokyo-tower world-map mountain volcano desert desert-island water-wave
national-park sunrise night-with-stars brick
person man woman boy girl old-man old-woman bust-in-silhouette busts-in-silhouette police-officer health-worker
man-teacher man-student cook farmer construction-worker office-worker scientist artist singer astronaut pilot firefighter
judge detective ninja guard cooking princess santa-claus person-mage person-superhero person-vampire baby-angel woman-dancing
person-in-lotus-position person-swimming person-biking person-climbing person-lifting-weights skier snowboarder
person-golfing person-surfing person-walking person-taking-bath person-getting-massage person-getting-haircut
manual-wheelchair pregnant-woman breast-feeding person-bowing person-shrugging person-facepalming person-raising-hand
person-gesturing-no person-gesturing-ok person-with-veil person-rowing-boat person-in-bed person-standing
backhand-index-pointing-left index-pointing-up backhand-index-pointing-down victory-hand
raised-hand raised-fist ok-button writing-hand nail-polish eyes ear nose mouth tooth bone foot leg brain lungs
anatomical-heart drop-of-blood footprints thumbs-down open-hands
face-blowing-a-kiss winking-face face-with-tongue smiling-face-with-sunglasses neutral-face face-with-medical-mask
face-with-spiral-eyes face-screaming-in-fear grinning-face-with-sweat flushed-face smiling-face-with-horns ghost skull
clown-face robot alien pile-of-poo see-no-evil-monkey partying-face money-mouth-face smirking-face cold-face hot-face
nauseated-face shushing-face disappointed-face pleading-face star-struck kissing-cat relieved-face
key door window chair couch-and-lamp bed bathtub toilet shower mirror broom soap bucket toothbrush scissors
straight-ruler hammer wrench screwdriver nut-and-bolt carpentry-saw axe dagger bomb magnet battery electric-plug
flashlight candle television radio speaker-high-volume headphone keyboard computer-mouse printer floppy-disk
optical-disk desktop-computer film-frames clapper-board satellite-antenna microscope telescope test-tube syringe
stethoscope adhesive-bandage thermometer microbe balance-scale compass watch stopwatch glasses sunglasses top-hat
billed-cap t-shirt jeans shorts socks running-shoe high-heeled-shoe womans-boot thong-sandal gloves scarf coat bikini
necktie handbag backpack luggage purse prayer-beads bookmark notebook newspaper memo page-facing-up clipboard
file-folder file-cabinet inbox-tray outbox-tray postbox label linked-paperclips link pushpin puzzle-piece game-die
chess-pawn joystick joker yo-yo kite teddy-bear guitar musical-keyboard drum trumpet artist-palette paintbrush
framed-picture performing-arts ticket crystal-ball magic-wand unlocked crossed-swords bow-and-arrow chequered-flag
white-flag wastebasket recycling-symbol no-entry prohibited no-smoking radioactive infinity plus minus multiply divide
input-numbers input-latin-letters red-circle blue-square red-triangle large-blue-diamond double-exclamation-mark
counterclockwise-arrows-button play-button pause-button stop-button next-track-button shuffle-tracks-button
muted-speaker bell-with-slash bright-button antenna-bars vibration-mode bar-chart identification-card receipt
fire-extinguisher ladder knot baby-bottle lotion-bottle sponge tennis volleyball baseball ping-pong boxing-glove bowling
goal-net fishing-pole skateboard ice-skate sled diving-mask badminton rugby-football
comet milky-way ringed-planet tornado droplet fog leo level-slider dotted-line-face latin-cross star-of-david om yin-yang
wheel-of-dharma mosque menorah moai coffin globe-with-meridians abacus information left-right-arrow up-down-arrow
back-arrow white-large-square rescue-workers-helmet cigarette military-medal trident-emblem anger-symbol zzz
`;

const LICENCE = 'MIT (art), Unicode-3.0 (zh text)';
const MOST_KEYWORDS = 10;

interface Row {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
}

/** The further scenes, in the order above. Throws an Error for one that the catalogue does not have. */
export function readFurtherScenes(): Scene[] {
  const lines = readFileSync(new URL('../../catalogue/stickers.jsonl', import.meta.url), 'utf8').split('\n');
  const rows = lines
    .filter((line) => line.startsWith('{"preset":"fluent-emoji-flat/'))
    .map((line) => JSON.parse(line) as Row);
  const byName = new Map(rows.map((row) => [row.preset.slice(row.preset.indexOf('/') + 1), row]));
  return NAMES.trim()
    .split(/\s+/)
    .map((name) => {
      const row = byName.get(name);
      if (row === undefined) throw new Error(`The catalogue has no ${name} of Fluent Emoji`);
      const keywords = row.keywords.filter((word) => word !== row.title).slice(0, MOST_KEYWORDS);
      return {
        name,
        title: row.title,
        keywords,
        set: 'fluent-emoji-flat',
        art: name,
        motion: undefined,
        licence: LICENCE,
      };
    });
}
