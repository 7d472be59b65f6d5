import { looseText } from '../../../src/domain/search/loose-text.js';
import { normalText } from '../../../src/domain/search/search-text.js';

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
