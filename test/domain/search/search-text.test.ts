import fc from 'fast-check';
import { normalText } from '../../../src/domain/search/search-text.js';

describe('normalText', () => {
  it.each([
    ['Café CRÈME', ' cafe creme '],
    ['Cafe\u0301', ' cafe '],
    ['Straße STRASSE ẞ', ' strasse strasse ss '],
    ['ΟΔΥΣΣΕΎΣ Οδυσσεύς', ' οδυσσευσ οδυσσευσ '],
    ['IŞIK ışık İzmir', ' isik isik izmir '],
    ['Łódź Øl', ' lodz ol '],
    ['Ёлка', ' елка '],
    ['Tiếng Việt', ' tieng viet '],
    ['ﬁne ＡＢＣ ①', ' fine abc 1 '],
    ['مَرْحَبًا مرحبـا', ' مرحبا مرحبا '],
    ['שָׁלוֹם', ' שלום '],
    ['हिन्दी', ' हिन्दी '],
    ['ประเทศไทย', ' ประเทศไทย '],
    ['ｶﾞｰﾄﾞ', ' ガード '],
    ['한국어', ' 한국어 '],
    [
      '#SummerSale @acme https://services.example/Deals?x=1',
      ' summersale acme https services example deals x 1 ',
    ],
    ['don’t stop-it', ' don t stop it '],
    ['東京tower2024年', ' 東京 tower2024 年 '],
    ['海关，税收', ' 海关 税收 '],
    ['tokyo🗼東京', ' tokyo 🗼 東京 '],
    ['👍🏽 ❤️ 👩‍👧', ' 👍 ❤ 👩👧 '],
    ['soft\u00adhyphen zero\u200dwidth', ' softhyphen zerowidth '],
    ['nul\0and\ud800lone', ' nul and lone '],
    ['', ''],
    ['!? … \0 \udfff', ''],
  ])('of %j is %j', (text, normal) => {
    expect(normalText(text)).toBe(normal);
  });

  it('is idempotent, well-formed, and consists of pieces separated by single spaces', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (text) => {
        const normal = normalText(text);
        expect(normalText(normal)).toBe(normal);
        expect(normal).toMatch(/^(?: [^\s\0]+)* ?$/u);
        expect(normal).not.toMatch(/\p{Cs}/u);
      }),
      { numRuns: 2000 },
    );
  });

  it('never throws on any UTF-16', () => {
    const units = fc
      .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
      .map((codes) => String.fromCharCode(...codes));
    fc.assert(
      fc.property(units, (text) => {
        expect(normalText(text)).not.toMatch(/\p{Cs}/u);
      }),
      { numRuns: 1000 },
    );
  });

  it('normalizes a long text in linear time', () => {
    const started = process.cpuUsage();
    normalText('Ünïted 東京タワー กรุงเทพ 👍 '.repeat(20_000));
    expect(process.cpuUsage(started).user).toBeLessThan(3_000_000);
  });
});
