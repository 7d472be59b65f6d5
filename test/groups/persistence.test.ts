import { runGroup } from '../setup/run-group.js';

runGroup('persistence');
