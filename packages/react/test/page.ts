// A browser's page without a browser: a document of happy-dom, an address that is only written down, and storage.
// It has to be imported before the package, which looks for a window once.
import { Window } from 'happy-dom'

const home = 'https://app.test/here?tab=1'
const window = new Window({ url: home })

/** Where the page navigated, and the messages to other tabs. */
export interface Page {
  readonly visited: string[]
  reloads: number
  href: string
}

export const page: Page = { visited: [], reloads: 0, href: home }

const location = {
  get href(): string {
    return page.href
  },
  set href(address: string) {
    const from = page.href
    page.visited.push(address)
    const { href } = new URL(address, from)
    // A fragment of the same document takes effect at once.
    if (href.split('#')[0] === from.split('#')[0] && href.includes('#')) page.href = href
  },
  reload: (): void => {
    page.reloads += 1
  }
}

const globals = {
  window,
  document: window.document,
  navigator: window.navigator,
  location,
  localStorage: window.localStorage,
  addEventListener: window.addEventListener.bind(window),
  removeEventListener: window.removeEventListener.bind(window),
  HTMLIFrameElement: window.HTMLIFrameElement,
  IS_REACT_ACT_ENVIRONMENT: true
}
for (const [name, value] of Object.entries(globals)) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
}

/** Requests of the page are answered by this function from now on. */
export function setFetch(fetch: typeof globalThis.fetch): void {
  globalThis.fetch = fetch
}

/** Starts again: nothing visited, nothing stored. */
export function reset(): void {
  Object.assign(page, { reloads: 0, href: home })
  page.visited.length = 0
  window.localStorage.clear()
}

export interface RenderedSession {
  readonly event: string
  readonly data: { readonly trigger: string }
  readonly timestamp: number
  /** The hash of the user that the message is about. */
  readonly user?: string
}

/** The last message of this page to the other tabs, and the user that it is about. */
export function getRendered(): RenderedSession | null {
  const message: RenderedSession | null = JSON.parse(window.localStorage.getItem('nextauth.message') ?? 'null')
  const named: RenderedSession | null = JSON.parse(window.localStorage.getItem('postern.user') ?? 'null')
  return message && named?.user && named.timestamp === message.timestamp ? { ...message, user: named.user } : message
}

/** Another tab says who is signed in. */
export function dispatchUser(user: string): void {
  const timestamp = 1_700_000_000.5
  window.localStorage.setItem('postern.user', JSON.stringify({ user, timestamp }))
  dispatchStorage(JSON.stringify({ event: 'session', data: { trigger: 'getSession' }, timestamp }))
}

/** Another tab stores a text. */
export function dispatchStorage(newValue: string | null, key: string = 'nextauth.message'): void {
  window.dispatchEvent(Object.assign(new window.Event('storage'), { key, newValue }))
}

/** The messages of next-auth's own client. */
export function listenLikeNextAuth(trigger: 'getSession' | 'signout' = 'getSession'): void {
  dispatchStorage(JSON.stringify({ event: 'session', data: { trigger }, timestamp: 1_700_000_000 }))
}

/** The visitor leaves the page for another one, or comes back to it. */
export function turn(visibilityState: 'visible' | 'hidden'): void {
  Object.defineProperty(window.document, 'visibilityState', { value: visibilityState, configurable: true })
  window.document.dispatchEvent(new window.Event('visibilitychange'))
}

export function setOnline(onLine: boolean): void {
  Object.defineProperty(window.navigator, 'onLine', { value: onLine, configurable: true })
}
