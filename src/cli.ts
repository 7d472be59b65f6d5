#!/usr/bin/env node
import { runCli } from './cli/run.js';
import { readConfig } from './config.js';
import { withSession } from './session.js';

process.exitCode = await runCli(process.argv.slice(2), withSession(readConfig, console.error), { out: console.log, err: console.error });
