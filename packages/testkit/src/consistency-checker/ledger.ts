/** A person who signs in. */
export interface Person {
  /** Their name in the findings. */
  readonly name: string
  readonly address: string
  /** Accounts that belong to this person only: `provider:id`. */
  readonly accounts?: readonly string[]
}

/** The result of an attempt: a session, an error code, or nothing if the connection was cut. */
export type VisitResult = 'session' | 'cut' | 'signed out' | `error ${string}`

/** An attempt to sign in or out, as its client saw it. */
export interface Try {
  readonly result: VisitResult
  /** The session cookie in the response. */
  readonly given?: string | null
  /** The session cookie in the request. */
  readonly before?: string | null
  /** The one-time link or code that was used. */
  readonly link?: string | null
}

/** A session cookie that a client received. */
export interface HandedOut {
  readonly person: Person
  /** `unknown` if the response to an attempt that would have ended it was lost, or was a server error. */
  state: 'good' | 'ended' | 'unknown'
  /** Counts the operations on it, so that a reader can detect concurrent changes. */
  changes: number
}

/** The entries of one person. */
export interface Entry {
  readonly person: Person
  readonly tries: Try[]
}

/** Whether the client cannot know the effect of the attempt. */
export const isUncertain = (result: VisitResult): boolean =>
  result === 'cut' || /^error (5\d\d|StoreUnavailable)$/.test(result)

/** Records the responses that clients received, to compare them with the stored rows. */
export class Ledger {
  readonly entries: Map<string, Entry> = new Map()
  readonly cookies: Map<string, HandedOut> = new Map()
  /** Responses that were wrong in themselves. */
  readonly complaints: string[] = []
  /** The number of session reads. */
  reads: number = 0
  /** Milliseconds of the slowest response. */
  slowest: number = 0

  /** The entry of a person, which is created on first use. */
  of(person: Person): Entry {
    const entry = this.entries.get(person.name) ?? { person, tries: [] }
    this.entries.set(person.name, entry)
    return entry
  }

  /** Records an attempt and its response. */
  note(person: Person, attempt: Try): void {
    const { result, given = null, before = null } = attempt
    this.of(person).tries.push(attempt)
    if (result === 'session' && given === null) throw new TypeError(`${person.name}: expected the cookie of a session`)
    if (result === 'session' && given !== before) this.change(before, 'ended')
    if (result === 'signed out') this.change(before, 'ended')
    if (isUncertain(result)) this.change(before, 'unknown')
    if (given !== null) this.give(person, given)
  }

  /** Records that a client received a session cookie. */
  give(person: Person, cookie: string): void {
    const cached = this.cookies.get(cookie)
    if (!cached) this.cookies.set(cookie, { person, state: 'good', changes: 0 })
    else if (cached.person.name !== person.name)
      this.complaints.push(`${person.name} was given the session of ${cached.person.name}`)
  }

  /** Records the state of a session cookie. An ended session stays ended. */
  change(cookie: string | null, state: HandedOut['state'] | null): void {
    const cached = cookie === null ? null : this.cookies.get(cookie)
    if (!cached) return
    cached.changes += 1
    if (state !== null && cached.state !== 'ended') cached.state = state
  }
}
