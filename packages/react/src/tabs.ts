import type { Session } from '@postern/core'

/** The messages of next-auth's client, so that tabs with either of the two understand each other. */
const key = 'nextauth.message'

interface Message {
  readonly event?: string
  readonly data?: {
    readonly trigger?: string
    /** Our own addition: the mark of the user, so that a tab that shows that user need not ask. */
    readonly user?: string
  }
}

/** @returns A short text that changes with the user. */
export function markOf(session: Session | null): string {
  let mark = 0
  for (const character of JSON.stringify(session && (session.user ?? true))) {
    mark = Math.imul(31, mark) + character.charCodeAt(0)
  }
  return mark.toString(36)
}

/** Tells the other tabs who is signed in, unless that is what they were told last. */
export function tellUser(session: Session | null): void {
  const user = markOf(session)
  try {
    if (parse(localStorage.getItem(key))?.user !== user) post({ trigger: 'getSession', user })
  } catch {
    // Without storage nobody can be told.
  }
}

/** Tells the other tabs that nobody is signed in any more. */
export function tellSignOut(): void {
  post({ trigger: 'signout', user: markOf(null) })
}

/** Tells the other tabs that the session of the same user says something else. */
export function tellChange(): void {
  post({ trigger: 'getSession' })
}

/**
 * Listens to the other tabs.
 *
 * @param listener - Called with the mark of the user, or `null` where the message has none.
 * @returns How to stop.
 */
export function listen(listener: (user: string | null) => void): () => void {
  const hear = (event: StorageEvent): void => {
    const data = event.key === key ? parse(event.newValue) : null
    if (data) listener(data.user ?? null)
  }
  addEventListener('storage', hear)
  return () => removeEventListener('storage', hear)
}

function post(data: Message['data']): void {
  try {
    // Seconds as in next-auth, with their fraction: an equal text would reach nobody.
    localStorage.setItem(key, JSON.stringify({ event: 'session', data, timestamp: Date.now() / 1000 }))
  } catch {
    // Without storage nobody can be told.
  }
}

function parse(text: string | null): NonNullable<Message['data']> | null {
  try {
    const message: Message | null = JSON.parse(text ?? 'null')
    return message?.event === 'session' ? (message.data ?? null) : null
  } catch {
    return null
  }
}
