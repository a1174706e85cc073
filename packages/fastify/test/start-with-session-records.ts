import { memoryAdapter } from '@postern/adapters/memory'
import type { Adapter, UserSession } from '@postern/core'
import type { Browser, Clock } from '@postern/testkit'
import { isClustered } from './cluster/notes.ts'
import { withSessionRecords } from './session-records.ts'
import { cookieNames, type Started, type StartOptions, sessionOf, start } from './start.ts'

export interface Kept extends Started {
  readonly adapter: Adapter
  /** Another process of the same application. */
  readonly twin: (options?: StartOptions) => Promise<Started>
  readonly idOf: (address?: string) => Promise<string>
  readonly list: (browser?: Browser) => Promise<readonly UserSession[]>
}

/** An application whose adapter keeps records and revocations. */
export async function startKeeping(t: Parameters<typeof start>[0], options: StartOptions = {}): Promise<Kept> {
  const clocks: Clock[] = []
  const isPlain = isClustered && !options.adapter && !options.stays && options.instances !== 1
  const kept = isPlain
    ? null
    : withSessionRecords(options.adapter ?? memoryAdapter(), () => clocks[0]?.now() ?? Date.now())
  const routes: StartOptions = { routes: new URL('./keeping-routes.js', import.meta.url).href }
  const started = await start(t, { ...routes, ...options, ...(kept ? { adapter: kept } : {}) })
  const adapter = kept ?? started.adapter ?? {}
  clocks.push(started.clock)
  const idOf = async (address = 'grace@example.com'): Promise<string> =>
    (await adapter.getUserByEmail?.(address))?.id ?? 'id-grace'
  return {
    ...started,
    adapter,
    idOf,
    twin: async (more = {}) => {
      const other = await start(t, {
        ...routes,
        ...options,
        ...more,
        ...(kept ? { adapter: kept } : { ground: started.ground })
      })
      other.clock.set(new Date(started.clock.now()))
      return other
    },
    list: async (browser) =>
      browser
        ? browser.json<readonly UserSession[]>(`/devices/${await idOf()}`)
        : started.app.postern.sessions.list(await idOf())
  }
}

/** Signs in from a device. */
export async function enter(browser: Browser, device = 'Firefox', username = 'grace'): Promise<Browser> {
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

/** Whether somebody is signed in in a browser. */
export const isSignedIn = async (browser: Browser): Promise<boolean> => (await sessionOf(browser)).user !== undefined
