import { littleText } from '../../src/networks/linkedin.js';
import { editAt, openTestWeb, told } from './stand-ins/asking.js';
import { linkedinCase } from './stand-ins/linkedin.js';

const web = openTestWeb();

it.each([
  ['plain words, 1 + 1 = 2!', 'plain words, 1 + 1 = 2!'],
  ['#coffee and #Röst2 (#new)', String.raw`#coffee and #Röst2 \(#new\)`],
  ['C# and # and ## and a#b', String.raw`C\# and \# and \#\# and a\#b`],
  ['#two_words', String.raw`#two\_words`],
  ['https://kiosk.example/a_b?c=d#e', String.raw`https://kiosk.example/a\_b?c=d\#e`],
  [String.raw`\ | { } @ [ ] ( ) < > * _ ~`, String.raw`\\ \| \{ \} \@ \[ \] \( \) \< \> \* \_ \~`],
  [
    '@[Devtestco](urn:li:organization:2414183)',
    String.raw`\@\[Devtestco\]\(urn:li:organization:2414183\)`,
  ],
])('writes %j as little text', (text, little) => {
  expect(littleText(text)).toBe(little);
});

it('connects a page by its number', async () => {
  const there = await linkedinCase.open();
  const checked = await linkedinCase
    .adapter(web, there.url)
    .check({ ...linkedinCase.credentials(there.url), organization: '2414183' });
  expect({ checked, complaints: there.complaints }).toEqual({
    checked: {
      kind: 'connected',
      socialId: 'urn:li:organization:2414183',
      name: 'Kiosk',
      type: 'page',
      picture: null,
    },
    complaints: [],
  });
  await there.close();
});

it('says what to set once its version has ended', async () => {
  const there = await linkedinCase.open();
  there.breakAt(0, {
    status: 426,
    json: {
      status: 426,
      code: 'NONEXISTENT_VERSION',
      message: 'Requested version 20260901 is not active',
    },
  });
  expect(told(await editAt(web, linkedinCase, there)({ text: 'New' }, 'text'))).toEqual([
    'NETWORK_REFUSED',
    'LinkedIn does not accept the change (426): Requested version 20260901 is not active (set LINKEDIN_VERSION to one that is).',
  ]);
  await there.close();
});
