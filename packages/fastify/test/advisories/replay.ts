import type { Test } from 'tap'

/** One published advisory, played against us: its id in the list, the attack, and what must come of it. */
export type Replay = readonly [id: string, attack: string, play: (t: Test) => Promise<unknown>]
