/** The rules of which each one is needed. A test leaves one out, and the model must find what goes wrong without it. */
export const rules = [
  'a sign-in demands the version',
  'an end raises sessionsFrom',
  'the acting session gets a new token',
  'a missing row is locked',
  'a change locks exclusively from the start',
  'a restart keeps the first version',
  'the row is read before the decision',
  'the session is allowed at this version',
  'a form has arrived after the last end',
  'a form of the millisecond of an end came before it',
  'sessions are found in a statement after the lock',
  'an end demands nothing',
  'ending one session advances',
  'a restart does not consume its token again',
  'a sign-in leaves a record',
  'the change id says whose commit it was',
  'the ways in are counted',
  'the change requires the address',
  'waiting things are dropped',
  'a renewal keeps its version',
  'impersonation demands both rows',
  'Redis has a session before its transaction',
  'Redis forgets ended sessions while the row is locked'
] as const

export type Rule = (typeof rules)[number]

/** What a run of the model assumes. */
export interface Setting {
  readonly leftOut: Rule | null
  /** Whether everything happens within one millisecond. */
  readonly isInstant: boolean
  /** How often an operation reads everything again before it answers 503. */
  readonly maxRestarts: number
}

/** The model as it is. */
export const allRules: Setting = { leftOut: null, isInstant: false, maxRestarts: 3 }

export const keeps = (setting: Setting, rule: Rule): boolean => setting.leftOut !== rule
