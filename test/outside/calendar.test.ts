import { spawnSync } from 'node:child_process';
import { withGateway } from '../fixtures/gateway.js';
import { findProgram } from '../setup/system-program.js';

/** Prints what the icalendar package of Python reads: one event of JSON a line. */
const READER = `
import json, sys
from icalendar import Calendar
calendar = Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps({"name": str(calendar["x-wr-calname"]), "events": [
  {"uid": str(e["uid"]), "start": e["dtstart"].dt.isoformat(), "sequence": int(e["sequence"]),
   "status": str(e["status"]), "summary": str(e["summary"]), "description": str(e["description"])}
  for e in calendar.walk("vevent")]}))`;

const gateway = withGateway();

it('Python’s icalendar reads what a feed contains', async () => {
  findProgram({
    neededBy: 'calendar',
    names: ['icalendar'],
    debianPackage: 'python3-icalendar',
  });
  const owner = await gateway.records.aViewer();
  const scheduledAt = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 86_400_000);
  const text = 'Größe, Preis; 5 € \\ 🎉\nZweite Zeile '.repeat(12).trim();
  const { id, version } = await gateway.records.aPost({ by: owner, scheduledAt, text });
  const { body } = await gateway.v1('POST', '/calendar-feeds', { as: owner, body: {} });
  const feed = await (await fetch(body.url)).text();
  // Debian's package belongs to Debian's Python.
  const { stdout, stderr } = spawnSync('/usr/bin/python3', ['-c', READER], {
    input: feed,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual({
    name: owner.workspace.name,
    events: [
      {
        uid: id,
        start: scheduledAt.toISOString().replace('.000Z', '+00:00'),
        sequence: version,
        status: 'CONFIRMED',
        summary: expect.stringMatching(/^Mastodon, Kiosk: Größe, Preis; 5 € /),
        description: text,
      },
    ],
  });
});
