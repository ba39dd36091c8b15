// What a person sees who opens the daemon's address in a browser.

/** HTML without style or script: the policy of our pages allows nothing inline. */
export const FRONT_PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>svcd</title>
<link rel="icon" href="data:,">
<h1>svcd runs here</h1>
<p>Stickers and images for video templates: found on this machine, paid for once.</p>
<ul>
<li><a href="/svcd/status">What it has and where it is</a>
<li><a href="/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5">A search: 生日</a>
</ul>
<p>In a terminal, <code>svcd --help</code> tells more.</p>
</html>
`;
