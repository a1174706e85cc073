import type { Session } from '@postern/core'

/** The messages of next-auth's client, so that tabs with either client understand each other. */
const key = 'nextauth.message'

interface Message {
  readonly event?: string
  readonly data?: {
    readonly trigger?: string
    /** An extension: a hash of the user, so that a tab with the same user need not read the session. */
    readonly user?: string
  }
}

/** @returns A short hash of the user. */
export function getMark(session: Session | null): string {
  let mark = 0
  for (const character of JSON.stringify(session && (session.user ?? true))) {
    mark = Math.imul(31, mark) + character.charCodeAt(0)
  }
  return mark.toString(36)
}

/** Broadcasts who is signed in, unless the last message already did. */
export function announceUser(session: Session | null): void {
  const user = getMark(session)
  try {
    if (parse(localStorage.getItem(key))?.user !== user) post({ trigger: 'getSession', user })
  } catch {
    // Without storage, broadcasting is not possible.
  }
}

/** Broadcasts a sign-out. */
export function announceSignOut(): void {
  post({ trigger: 'signout', user: getMark(null) })
}

/** Broadcasts that the session of the same user changed. */
export function announceChange(): void {
  post({ trigger: 'getSession' })
}

/**
 * Listens to messages of other tabs.
 *
 * @param listener - Called with the hash of the user, or `null` if the message contains none.
 * @returns A function that removes the listener.
 */
export function listen(listener: (user: string | null) => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    const data = event.key === key ? parse(event.newValue) : null
    if (data) listener(data.user ?? null)
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

function post(data: Message['data']): void {
  try {
    // Seconds as in next-auth, with fractions: writing an identical value would not trigger an event.
    localStorage.setItem(key, JSON.stringify({ event: 'session', data, timestamp: Date.now() / 1000 }))
  } catch {
    // Without storage, broadcasting is not possible.
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
