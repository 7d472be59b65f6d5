import { suite } from '../setup/suite.js';
import { deletionCellsOf, deletionCheck, nameOfDeletionCell } from './deletion-cells.js';
import { fieldCellsOf, fieldCheck, nameOfFieldCell } from './field-cells.js';
import { openMatrixGateway, type MatrixGateway } from './matrix-gateway.js';
import { nameOfRemovalCell, removalCellsOf, removalCheck } from './removal-cells.js';
import { createRightsReader, type RightsReader } from './rights.js';
import { runCells, type CellResults } from './run-cells.js';
import { drawSample, SEED } from './seeded-order.js';

/** `npm run test:matrix -- [--quick] [--seed n]` */
jest.setTimeout(3_600_000);

const { length } = suite;
const PRINTED_DISAGREEMENTS = 100;
/** Cells in `npm run test:system`, and with `--quick`. */
const FIELD_CELLS = { short: 400, quick: 8_000, full: Infinity };
const DELETION_CELLS = { short: 200, quick: 3_000, full: Infinity };
const REMOVAL_CELLS = { short: 150, quick: 1_500, full: Infinity };

let matrix: MatrixGateway;
let readRights: RightsReader;
beforeAll(async () => {
  suite.report(`seed ${SEED}`);
  matrix = await openMatrixGateway();
  readRights = createRightsReader(matrix.gateway);
});
afterAll(() => matrix?.close());

function assertAgreement({ accepted, refused, disagreements }: CellResults): void {
  suite.report(`${accepted} accepted, ${refused} refused, ${disagreements.length} disagree`);
  expect(disagreements.slice(0, PRINTED_DISAGREEMENTS)).toEqual([]);
  expect(accepted).toBeGreaterThan(0);
  expect(refused).toBeGreaterThan(0);
}

it('editability, both dry runs and the real call agree on every field of a post', async () => {
  const all = fieldCellsOf(matrix.callers);
  const cells = drawSample(all, nameOfFieldCell, FIELD_CELLS[length]);
  suite.report(`fields: ${cells.length} of ${all.length} cells`);
  assertAgreement(await runCells(cells, matrix.undoLog, fieldCheck(matrix.gateway, readRights)));
});

it('deletability, both dry runs and the real call agree on every post', async () => {
  const all = deletionCellsOf(matrix.callers);
  const cells = drawSample(all, nameOfDeletionCell, DELETION_CELLS[length]);
  const posts = cells.reduce((sum, cell) => sum + cell.posts.length, 0);
  suite.report(`deletions: ${posts} posts in ${cells.length} of ${all.length} cells`);
  assertAgreement(await runCells(cells, matrix.undoLog, deletionCheck(matrix.gateway, readRights)));
});

it('deletability, actions, the dry runs and the real call agree on every removal from a network', async () => {
  const all = removalCellsOf(matrix.callers);
  const cells = drawSample(all, nameOfRemovalCell, REMOVAL_CELLS[length]);
  suite.report(`removals: ${cells.length} of ${all.length} cells`);
  await matrix.limitRemovals();
  const check = removalCheck(matrix.gateway, createRightsReader(matrix.gateway));
  assertAgreement(await runCells(cells, matrix.undoLog, check));
});

it('has at least 26,901 fields, 14,600 deletions and 6,343 removals', () => {
  expect(fieldCellsOf(matrix.callers).length).toBeGreaterThanOrEqual(26_901);
  const deletions = deletionCellsOf(matrix.callers).flatMap(({ posts }) => posts);
  expect(deletions.length).toBeGreaterThanOrEqual(14_600);
  expect(removalCellsOf(matrix.callers).length).toBeGreaterThanOrEqual(6_343);
});
