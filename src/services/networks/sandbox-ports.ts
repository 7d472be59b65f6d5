import type { LiveFields } from '../../domain/networks/live-fields.js';
import type { SandboxFailure, SandboxFaults } from '../../domain/networks/sandbox.js';

/** A post as the sandbox network has it. */
export interface SandboxPost {
  /** As published, and as each edit there told it since. What was never changed may be absent: the post still has it. */
  readonly fields: LiveFields;
  readonly edits: number;
  readonly editedAt: Date | null;
  readonly isDeleted: boolean;
}

/** The sandbox's time in one workspace. */
export interface SandboxClock {
  readonly now: Date;
  readonly aheadSeconds: number;
}

/** The sandbox network's own memory. It knows posts by their document ids. */
export interface SandboxStore {
  find(postId: string): Promise<SandboxPost>;
  /** Changes these fields there and no others; false where the post was deleted there. */
  edit(postId: string, fields: LiveFields, at: Date): Promise<boolean>;
  /** Deletes it there; false where that was done before. */
  remove(postId: string, at: Date): Promise<boolean>;
  /** The faults that an edit of the post meets at this time. */
  faults(postId: string, at: Date): Promise<SandboxFaults>;
  /** Absent stays as it is, null and false end the fault. */
  setFaults(postId: string, faults: Partial<SandboxFaults>, at: Date): Promise<void>;
  /** Takes one of the failures that wait for the post's next edits. */
  takeFailure(postId: string): Promise<SandboxFailure | null>;
  clock(workspaceId: string, at: Date): Promise<SandboxClock>;
  /** Puts the clock so far ahead of the real time; what waits on it waits so much less. */
  setClock(workspaceId: string, aheadSeconds: number, at: Date): Promise<void>;
}
