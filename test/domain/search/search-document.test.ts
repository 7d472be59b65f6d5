import { toSearchDocument } from '../../../src/domain/search/search-document.js';

describe('toSearchDocument', () => {
  it.each<[string, string, string[]]>([
    ['Café crème, café', ' cafe creme cafe ', ['cafe', 'creme']],
    ['東京都', ' 東京都 ', ['東', '京', '都', '東京', '京都']],
    ['ハハハ', ' ハハハ ', ['ハ', 'ハハ']],
    ['👍🔥 go', ' 👍🔥 go ', ['👍', '🔥', '👍🔥', 'go']],
    ['', '', []],
    ['Müller, neu', ' muller neu  mueller neu ', ['muller', 'neu', 'mueller']],
    ['aktuell neu', ' aktuell neu ', ['aktuell', 'neu']],
    ['서울에서 만나요', ' 서울에서 만나요  서울 만나요 ', ['서울에서', '만나요']],
    ['TV를', ' tv를  tv ', ['tv를', 'tv']],
    ['والكتاب', ' والكتاب  كتاب ', ['والكتاب', 'كتاب']],
    ['הספר', ' הספר  ספר ', ['הספר', 'ספר']],
  ])('of %j', (text, normal, tokens) => {
    expect(toSearchDocument([text])).toEqual({ normal, tokens });
  });

  it('has the tokens of all texts, once', () => {
    expect(toSearchDocument(['Big sale', '', 'sale now'])).toEqual({
      normal: ' big sale  sale now ',
      tokens: ['big', 'sale', 'now'],
    });
  });

  it('truncates words to 100 code points, never inside a surrogate pair', () => {
    expect(toSearchDocument(['𝔞𐐨'.repeat(80)]).tokens).toEqual(['a𐐨'.repeat(50)]);
  });

  it('has at most a megabyte of tokens', () => {
    let state = 1;
    const character = (): string => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return String.fromCharCode(0x4e00 + ((state >>> 8) % 20_000));
    };
    const characters = Array.from({ length: 125_000 }, character);
    const { tokens } = toSearchDocument([characters.join('')]);
    const bytes = tokens.reduce((sum, token) => sum + Buffer.byteLength(token) + 5, 0);
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(bytes).toBeGreaterThan(990_000);
  });
});
