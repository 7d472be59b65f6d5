import { readLanguageTag } from '../../../src/importers/mastodon/mastodon-post.js';

it.each([
  ['de', 'de'],
  ['pt-BR', 'pt-BR'],
  ['zhCn', 'zh-CN'],
  ['srLatn', 'sr-Latn'],
  ['nanTw', 'nan-TW'],
  ['zhHantTw', 'zh-Hant-TW'],
  ['ZH-hant-tw', 'zh-Hant-TW'],
  ['es-419', 'es-419'],
  ['x y', null],
  ['german', null],
  ['', null],
])('reads %s as %s', (key, tag) => expect(readLanguageTag(key)).toBe(tag));
