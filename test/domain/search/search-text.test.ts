import fc from 'fast-check';
import { normalText, looseText } from '../../../src/domain/search/search-document.js';

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

const loose = (text: string): string => looseText(text, normalText(text)).trim();

describe('looseText', () => {
  it.each([
    // umlauts
    ['Müller', 'mueller'],
    ['U\u0308BERGRO\u0308SSE', 'uebergroesse'],
    ['Straße', 'strasse'],
    ['naïve Zoë', 'naive zoe'],
    ['Mueller aktuell', 'mueller aktuell'],
    // Korean: the particle must fit the sound before it
    ['서울은 서울을 서울이 서울과 서울의 서울도 서울만', '서울 서울 서울 서울 서울 서울 서울'],
    ['서울에 서울에서 서울로 서울까지 서울부터 서울에서는', '서울 서울 서울 서울 서울 서울'],
    ['부산으로 부산으로는 부산에게 부산처럼', '부산 부산 부산 부산'],
    ['커피는 커피를 커피가 커피와 커피로', '커피 커피 커피 커피 커피'],
    ['책을 책은 집에 집에서', '책 책 집 집'],
    [
      '사과 아이 가을 마을 종로 작가 회의 지도 국가',
      '사과 아이 가을 마을 종로 작가 회의 지도 국가',
    ],
    ['은 는 에서 도', '은 는 에서 도'],
    ['TV를 2024년에', 'tv 2024년'],
    // Arabic: with what is written before the article
    ['الكتاب والكتاب بالكتاب كالكتاب فالكتاب للكتاب', 'كتاب كتاب كتاب كتاب كتاب كتاب'],
    ['وبالكتاب الْحُبّ', 'كتاب حب'],
    ['الله والله ال', 'الله والله ال'],
    // Hebrew
    ['הספר והספר שהספר מהספר כשהספר', 'ספר ספר ספר ספר ספר'],
    ['הַסֵּפֶר הר', 'ספר הר'],
  ])('of %j is %j', (text, expected) => {
    expect(loose(text)).toBe(expected);
  });

  it('equals the normal form of other texts', () => {
    for (const text of ['Plain text', '東京都 ประเทศไทย', 'добрый день', '', '!?'])
      expect(looseText(text, normalText(text))).toBe(normalText(text));
  });
});
