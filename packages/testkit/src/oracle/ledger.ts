/** Somebody who signs in. */
export interface Person {
  /** How the findings call them. */
  readonly name: string
  readonly address: string
  /** Accounts that are theirs and nobody else's: `provider:id`. */
  readonly accounts?: readonly string[]
}

/** What a try was told: a session, the code of an error, or nothing, as the connection was cut. */
export type Told = 'session' | 'cut' | 'signed out' | `error ${string}`

/** A try to sign in or out, as its client saw it. */
export interface Try {
  readonly told: Told
  /** The session cookie that was handed out. */
  readonly given?: string | null
  /** The session cookie that went along. */
  readonly before?: string | null
  /** The one-time link, or the code, that was opened. */
  readonly link?: string | null
}

/** A session cookie that somebody was given. */
export interface HandedOut {
  readonly person: Person
  /** `unknown` where the answer to a try that would have ended it was lost, or was an error of the server. */
  state: 'good' | 'ended' | 'unknown'
  /** Counts what was done to it, so that a reader can tell whether it was the same all the time. */
  changes: number
}

/** One person's part of the ledger. */
export interface Entry {
  readonly person: Person
  readonly tries: Try[]
}

/** Whether what a try did is not known to its client. */
export const isUncertain = (told: Told): boolean => told === 'cut' || /^error (5\d\d|StoreUnavailable)$/.test(told)

/** What clients were told, to be held against what is stored. */
export class Ledger {
  readonly entries: Map<string, Entry> = new Map()
  readonly cookies: Map<string, HandedOut> = new Map()
  /** Answers that were wrong in themselves. */
  readonly complaints: string[] = []
  /** How often somebody looked who is signed in. */
  reads: number = 0
  /** Milliseconds that the slowest answer took. */
  slowest: number = 0

  /** The part of a person, who is known from now on. */
  of(person: Person): Entry {
    const entry = this.entries.get(person.name) ?? { person, tries: [] }
    this.entries.set(person.name, entry)
    return entry
  }

  /** Notes a try and its answer. */
  note(person: Person, attempt: Try): void {
    const { told, given = null, before = null } = attempt
    this.of(person).tries.push(attempt)
    if (told === 'session' && given === null) throw new TypeError(`${person.name}: expected the cookie of a session`)
    if (told === 'session' && given !== before) this.change(before, 'ended')
    if (told === 'signed out') this.change(before, 'ended')
    if (isUncertain(told)) this.change(before, 'unknown')
    if (given !== null) this.give(person, given)
  }

  /** Notes that somebody was given a session cookie. */
  give(person: Person, cookie: string): void {
    const known = this.cookies.get(cookie)
    if (!known) this.cookies.set(cookie, { person, state: 'good', changes: 0 })
    else if (known.person.name !== person.name)
      this.complaints.push(`${person.name} was given the session of ${known.person.name}`)
  }

  /** Notes what became of a session cookie. What has ended stays so. */
  change(cookie: string | null, state: HandedOut['state'] | null): void {
    const known = cookie === null ? null : this.cookies.get(cookie)
    if (!known) return
    known.changes += 1
    if (state !== null && known.state !== 'ended') known.state = state
  }
}
