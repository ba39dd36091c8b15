// What /llms.txt says: all that a language model, or a person in a hurry, needs to use svcd. A test runs every command.

import { IMAGE_PRICE, STICKER_PRICE } from '../contract/limits.js';
import type { FallbackReason, Source } from '../model/asset.js';

const SOURCE_MEANS: Record<Source, string> = {
  remote: 'just bought, or from the service',
  owned: 'bought before',
  library: "from svcd's own copy, or one of its own stickers",
  'last-known': 'what the service said last, `Age` seconds ago',
  default: '**not what was asked for**: say so to the user',
};

const REASON_MEANS: Record<FallbackReason, string> = {
  offline: 'the service cannot be reached, or the user set svcd to offline (`svcd offline --off` ends that)',
  no_key: 'no Key of the service is stored',
  insufficient_credits: 'the account has too few',
  budget: 'a limit that the user set here',
  not_enabled: 'the service does not offer it yet',
  rate_limited: 'too many requests a minute',
  late: 'not there by the deadline, but perhaps bought: ask again later',
  spending_stopped: 'by the user, or because purchases were lost',
  disk_full: 'the disk of svcd, or of its hub, is full: what is paid for could not be written down',
  upstream_failure: 'the service failed',
  unsettled: 'an earlier purchase of it may have been charged: the user must look at `svcd purchases`',
  unknown_preset: 'it is not on the complete list of the service: it has another name now, or never was',
};

const listOf = (meanings: Record<string, string>) =>
  Object.entries(meanings)
    .map(([word, meaning]) => `  - \`${word}\`: ${meaning}`)
    .join('\n');

/** The guide to a svcd at `origin`, in Markdown. */
export function guideOf(origin: string): string {
  return `# svcd

> A local daemon in front of a paid sticker and image service. It searches its own copy of the library for free and
> offline, pays for a thing once and keeps it for good, and serves a default, labelled as one, rather than stop a render.

It speaks the API of the service below /api/v1/, and its own below /svcd/. Everything it answers is described in
[/openapi.json](${origin}/openapi.json) (OpenAPI 3.1).

## Address and token

\`\`\`sh
BASE=${origin} # where this svcd is; svcd status tells it
TOKEN=$(svcd token show) # this home's own, held by the user's budgets alone
svcd run --budget 5 -- node render.js # better: a token that ends with the command, and at most 5 credits
\`\`\`

\`svcd run\` starts svcd if it does not run, and sets SERVICE_BASE_URL and SERVICE_API_KEY for the command. Reading needs no
token. No Key of the service is ever needed in a request, and svcd never shows one. Tools over MCP: \`svcd mcp\`, for whose host
\`svcd mcp --budget 5 --print-config\` prints the JSON; without \`--budget\` a form of the host asks
before each purchase, and a host without forms buys nothing.

## Prices

Search, match, plan and every other reading: 0. A sticker: ${STICKER_PRICE} credit, once. An image: ${IMAGE_PRICE} credits, once for a
prompt, size and \`X-Svcd-Variant\`. What is owned: 0, for ever. There is no picture of a sticker before it is bought.

## The six calls that matter

Copy goes in as it is, in Chinese; do not translate it. Slashes of a preset are encoded.

\`\`\`sh
curl --fail-with-body -sSG "$BASE/api/v1/stickers/search" --data-urlencode "q=生日" -d limit=5 # free: by words
curl --fail-with-body -sS "$BASE/api/v1/stickers/match" -H 'Content-Type: application/json' -d '{"text":"小明生日快乐","limit":5}' # free: by what a text says, with reasons
curl --fail-with-body -sS "$BASE/svcd/plan" -H 'Content-Type: application/json' -d '{"slots":[{"id":"opening","text":"小明生日快乐"}]}' # free: a sticker for each slot, and the price
curl --fail-with-body -sS "$BASE/api/v1/stickers/fluent-emoji-flat%2Fbirthday-cake" -H "Authorization: Bearer $TOKEN" -D - -o cake.json # ${STICKER_PRICE} credit, or 0 if owned
curl --fail-with-body -sS "$BASE/api/v1/images" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"prompt":"一块生日蛋糕","size":"1024x1024"}' # ${IMAGE_PRICE} credits, up to a minute
curl --fail-with-body -sSN "$BASE/svcd/prefetch" -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' -d '{"presets":["fluent-emoji-flat/bouquet"],"max_credits":1}' # many at once, or nothing if it costs more
\`\`\`

## What an answer says

- \`X-Svcd-Source\`, where it comes from:
${listOf(SOURCE_MEANS)}
- \`X-Svcd-Reason\`, why it is a default:
${listOf(REASON_MEANS)}
- \`X-Svcd-Cost\`: credits that this request spent; \`unknown\` while that cannot be told.
- \`X-Svcd-Fallback: off\` in a request gives the error in place of a default; \`X-Svcd-Deadline-Ms\` says how long to wait.
- An error is \`{"code","message","hint"}\`: tell the user the message and the hint. No limit is to be got around.

**Retry**: repeat only what \`x-svcd-again\` in /openapi.json calls \`safe\` or \`same-thing\`, after \`Retry-After\` where one is
given; never 401, 402, 403 or \`unsettled\`, and never an image with \`X-Svcd-Fresh\`.

## From copy to the same video next year

\`\`\`sh
echo '{"slots":[{"id":"opening","text":"小明生日快乐"},{"id":"cake","preset":"fluent-emoji-flat/birthday-cake"}]}' > copy.json
svcd plan --copy copy.json # free: slots, stickers, reasons, price
svcd apply --copy copy.json --out assets --yes # buys, writes the files and assets/assets.lock.json; --max-credits N sets a limit
svcd verify --lock assets/assets.lock.json # the files against the lock: no daemon, no network
svcd fetch --locked --lock assets/assets.lock.json --out elsewhere # the same files again from what is owned
\`\`\`

Show the user the plan and its price, and let the user say yes, before \`apply --yes\`. Commit the lock and the files. The
schemas of copy.json, plan, lock and config.json are in data/schemas of the npm package. \`svcd COMMAND --help\` tells more.
`;
}
