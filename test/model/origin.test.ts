// What may stand on the list of origins, and how it is spelled there.

import { describe, expect, it } from 'vitest';
import { SvcdError } from '../../src/model/errors.js';
import { isSpoofable, parseOrigin } from '../../src/model/web-origin.js';

describe('an origin', () => {
  it.each([
    ['http://localhost:3000', 'http://localhost:3000'],
    [' HTTP://LocalHost:3000/ ', 'http://localhost:3000'],
    ['http://a.example:80', 'http://a.example'],
    ['https://a.example:443', 'https://a.example'],
    ['https://a.example:80', 'https://a.example:80'],
    ['http://[::1]:3000', 'http://[::1]:3000'],
    ['https://\u4f8b\u5b50.example', 'https://xn--fsqu00a.example'],
  ])('%j is spelled %j, as browsers send it', (text, spelled) => {
    expect(parseOrigin(text)).toBe(spelled);
  });

  it.each([
    ['null', /sandboxed frame/],
    ['NULL', /sandboxed frame/],
    ['*', /wildcards/],
    ['http://*', /wildcards/],
    ['https://*.example.com', /wildcards/],
    ['localhost:3000', /must begin with http/],
    ['file:///tmp', /must begin with http/],
    ['chrome-extension://abc', /must begin with http/],
    ['javascript:alert(1)', /must begin with http/],
    ['http://', /must begin with http/],
    ['http://a/b', /scheme, host and port only/],
    ['http://a/?', /scheme, host and port only/],
    ['http://a?b', /scheme, host and port only/],
    ['http://a#b', /scheme, host and port only/],
    ['http://user@a', /must not name a user/],
    ['http://user:hidden@a', /must not name a user/],
    ['http://a b', /not an address/],
    ['http://a:99999', /not an address/],
    ['http:\\\\a', /must begin with http/],
    ['http://a,http://b', /not an address|scheme, host/],
    ['', /must begin with http/],
  ])('%j is refused with the reason', (text, reason) => {
    expect(() => parseOrigin(text)).toThrow(SvcdError);
    expect(() => parseOrigin(text)).toThrow(reason);
    expect(() => parseOrigin(text)).not.toThrow(/hidden/);
  });

  it.each([
    ['http://app.example', true],
    ['http://127.evil.example', true],
    ['http://localhost.evil.example', true],
    ['http://192.168.0.1', true],
    ['http://localhost:3000', false],
    ['http://127.0.0.1:1', false],
    ['http://[::1]:1', false],
    ['http://a.localhost:1', false],
    ['https://app.example', false],
  ])('%s could be posed as by others on the network: %j', (origin, expected) => {
    expect(isSpoofable(origin)).toBe(expected);
  });
});
