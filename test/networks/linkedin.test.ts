import { toLittleText } from '../../src/networks/linkedin/linkedin.js';
import { editOn, createTestHttpClient, outcomeOf } from './stand-ins/edit-requests.js';
import { linkedinCase } from './stand-ins/linkedin.js';

const http = createTestHttpClient();

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
])('escapes %j as little text', (text, little) => {
  expect(toLittleText(text)).toBe(little);
});

it('connects a page by its organization ID', async () => {
  const standIn = await linkedinCase.start();
  const checked = await linkedinCase
    .adapter(http, standIn.url)
    .check({ ...linkedinCase.credentials(standIn.url), organization: '2414183' });
  expect({ checked, complaints: standIn.violations }).toEqual({
    checked: {
      kind: 'connected',
      socialId: 'urn:li:organization:2414183',
      name: 'Kiosk',
      type: 'page',
      picture: null,
    },
    complaints: [],
  });
  await standIn.close();
});

it('names the setting to change when the API version is retired', async () => {
  const standIn = await linkedinCase.start();
  standIn.injectFault(0, {
    status: 426,
    json: {
      status: 426,
      code: 'NONEXISTENT_VERSION',
      message: 'Requested version 20260901 is not active',
    },
  });
  expect(outcomeOf(await editOn(http, linkedinCase, standIn)({ text: 'New' }, 'text'))).toEqual([
    'NETWORK_REFUSED',
    'LinkedIn rejected the change (426): Requested version 20260901 is not active (set LINKEDIN_VERSION to an active version).',
  ]);
  await standIn.close();
});
