import { figure, type Row } from '../text-table.js';
import { bytesOf, type Costs } from './costs.js';
import type { Wal } from './storage.js';

const kilobytes = (bytes: number): string => (bytes === 0 ? '–' : figure(bytes / 1000, 2));

const pages = ({ bytes, pages: images }: Wal): string => (bytes === 0 ? '–' : figure(images, 1));

/** The columns of `costRows`. */
export const COST_HEAD: Row = [
  '',
  'CPU of the gateway or worker, ms',
  'CPU of PostgreSQL, ms',
  'write-ahead log, kB',
  'page images in it',
  'disk, kB',
];

/** What a workspace, each kind of request and a publication cost. */
export const costRows = ({ workspace, post, requests, publication }: Costs): Row[] => [
  ...Object.entries(requests).map(([kind, cost]) => [
    kind,
    figure(cost.gatewayCpu, 2),
    figure(cost.databaseCpu, 2),
    kilobytes(cost.wal.bytes),
    pages(cost.wal),
    // the rows of new posts are measured separately, as those of requests reuse space
    kilobytes(bytesOf(cost.storage, (table) => table === 'event' || table === 'revision')),
  ]),
  [
    'publication',
    figure(publication.workerCpu, 2),
    figure(publication.databaseCpu, 2),
    kilobytes(publication.wal.bytes),
    pages(publication.wal),
    kilobytes(bytesOf(publication.storage)),
  ],
  ['workspace', '–', '–', '–', '–', kilobytes(bytesOf(workspace))],
  ['post', '–', '–', '–', '–', kilobytes(bytesOf(post))],
];

/** The columns of `processRows`. */
export const PROCESS_HEAD: Row = ['', 'memory, MB', 'connections to PostgreSQL'];

/** Memory and connections of processes. */
export const processRows = ({ memory, connections }: Costs): Row[] => [
  ['gateway, idle', figure(memory.gatewayIdle), '–'],
  ['gateway, under load', figure(memory.gateway), figure(connections.gateway)],
  ['worker', figure(memory.worker), figure(connections.worker)],
  ['connection, in PostgreSQL', figure(memory.connection, 1), '–'],
];
