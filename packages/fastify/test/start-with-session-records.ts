import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, UserSession } from '@postern/core'
import type { Browser, Clock } from '@postern/testkit'
import { isClustered } from './cluster/notes.ts'
import { withSessionRecords } from './session-records.ts'
import { cookieNames, getSession, type Started, type StartOptions, start } from './start.ts'

export interface Kept extends Started {
  readonly adapter: Adapter
  /** Another process of the same application. */
  readonly twin: (options?: StartOptions) => Promise<Started>
  readonly getId: (address?: string) => Promise<string>
  readonly list: (browser?: Browser) => Promise<readonly UserSession[]>
}

/** An application whose adapter keeps records and revocations. */
export async function startWithRecords(t: Parameters<typeof start>[0], options: StartOptions = {}): Promise<Kept> {
  const clocks: Clock[] = []
  const isPlain = isClustered && !options.adapter && !options.stays && options.instances !== 1
  const stored = isPlain
    ? null
    : withSessionRecords(options.adapter ?? memoryAdapter(), () => clocks[0]?.now() ?? Date.now())
  const routes: StartOptions = { routes: new URL('./session-manager-routes.js', import.meta.url).href }
  const started = await start(t, { ...routes, ...options, ...(stored ? { adapter: stored } : {}) })
  const adapter = stored ?? started.adapter ?? {}
  clocks.push(started.clock)
  const getId = async (address = 'grace@example.com'): Promise<string> =>
    (await adapter.getUserByEmail?.(address))?.id ?? 'id-grace'
  return {
    ...started,
    adapter,
    getId,
    twin: async (more = {}) => {
      const other = await start(t, {
        ...routes,
        ...options,
        ...more,
        ...(stored ? { adapter: stored } : { environment: started.environment })
      })
      other.clock.set(new Date(started.clock.now()))
      return other
    },
    list: async (browser) =>
      browser
        ? browser.json<readonly UserSession[]>(`/devices/${await getId()}`)
        : started.app.postern.sessions.list(await getId())
  }
}

/** Signs in from a device. */
export async function signInWithRecords(browser: Browser, device = 'Firefox', username = 'grace'): Promise<Browser> {
  const fields = { username, password: 'lovelace' }
  await browser.submit('/api/auth/callback/credentials', fields, { headers: { 'user-agent': device } })
  return browser
}

/** A browser with a copy of the other's cookie. */
export function thief({ newBrowser }: Pick<Started, 'newBrowser'>, { cookies }: Browser): Browser {
  const browser = newBrowser()
  browser.cookies.set(cookieNames.sessionToken, cookies.get(cookieNames.sessionToken) ?? '', { secure: true })
  return browser
}

/** Whether a user is signed in in a browser. */
export const isSignedIn = async (browser: Browser): Promise<boolean> => (await getSession(browser)).user !== undefined
