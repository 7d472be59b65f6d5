import type { LogPosition } from '../../domain/access/log-position.js';

/** What this process knows about the read replicas. */
export interface ReplicaProgress {
  /** Whether any replica is used now. */
  canRead(): boolean;
  /** Whether every replica is known to have replayed the log up to the position. */
  haveAll(position: LogPosition): boolean;
}

/** The state of a replica, for metrics. */
export interface ReplicaState {
  /** Host and port. */
  readonly name: string;
  readonly isUsed: boolean;
  /** Seconds; Infinity if it is not known. */
  readonly lag: number;
}

/** Positions of users, shared by all processes. A position that was never stored is unknown. */
export interface UserPositions {
  /** Stores the position unless a later one is stored. False if it may not be stored. */
  advance(userId: string, position: LogPosition): Promise<boolean>;
  /** Makes the position unknown. False if it may still be stored. */
  forget(userId: string): Promise<boolean>;
}
