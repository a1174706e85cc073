import type { Session } from '@postern/core'

/** The messages of next-auth's client, so that tabs with either client understand each other. */
const messageKey = 'nextauth.message'
/** Names the user of the message with the same timestamp, so that a tab with this user need not read the session. */
const userKey = 'postern.user'

interface Message {
  readonly event?: string
  readonly data?: { readonly trigger?: string }
  readonly timestamp?: number
}

interface MessageUser {
  /** A hash of the user; `null` for a message that names none. */
  readonly user?: string | null
  readonly timestamp?: number
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
    const message = parse<Message>(localStorage.getItem(messageKey))
    if (!message || getUser(message) !== user) post('getSession', user)
  } catch {
    // Without storage, broadcasting is not possible.
  }
}

/** Broadcasts a sign-out. */
export function announceSignOut(): void {
  post('signout', getMark(null))
}

/** Broadcasts that the session of the same user changed. */
export function announceChange(): void {
  post('getSession', null)
}

/**
 * Listens to messages of other tabs.
 *
 * @param listener - Called with the hash of the user, or `null` if the message contains none.
 * @returns A function that removes the listener.
 */
export function listen(listener: (user: string | null) => void): () => void {
  const onStorage = (event: StorageEvent): void => {
    const message = event.key === messageKey ? parse<Message>(event.newValue) : null
    if (message?.event === 'session' && message.data) listener(getUser(message))
  }
  addEventListener('storage', onStorage)
  return () => removeEventListener('storage', onStorage)
}

function post(trigger: 'getSession' | 'signout', user: string | null): void {
  // Seconds as in next-auth, with fractions: writing an identical value would not trigger an event.
  const timestamp = Date.now() / 1000
  try {
    localStorage.setItem(userKey, JSON.stringify({ user, timestamp }))
    localStorage.setItem(messageKey, JSON.stringify({ event: 'session', data: { trigger }, timestamp }))
  } catch {
    // Without storage, broadcasting is not possible.
  }
}

/** The hash of the user that a message is about; `null` if it names none, as the messages of next-auth's client. */
function getUser({ timestamp }: Message): string | null {
  const named = parse<MessageUser>(localStorage.getItem(userKey))
  return named?.timestamp === timestamp ? (named?.user ?? null) : null
}

function parse<T>(text: string | null): T | null {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}
