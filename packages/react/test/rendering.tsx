import './page.ts'
import { act, memo, type ReactNode, StrictMode, version } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import type { Test } from 'tap'
import { configure, getSession, SessionContext, SessionProvider, signIn, signOut } from '../src/index.ts'
import type { SessionContextValue } from '../src/types.ts'
import { Greeting, Page } from './greeting.tsx'
import { listenLikeNextAuth, page, reset } from './page.ts'
import { ada, catchErrors, createServer, grace, type Server, settled } from './server.ts'

const Once = memo(Greeting)

interface Screen {
  readonly server: Server
  /** What every rendering of the component saw. */
  readonly seen: SessionContextValue<boolean>[]
  readonly text: () => string
  readonly show: (node: ReactNode) => Promise<void>
  readonly remove: () => Promise<void>
}

function prepare(t: Test): { readonly server: Server; readonly element: HTMLElement } {
  reset()
  const server = createServer(ada)
  t.intercept(globalThis, 'fetch', { value: server.send })
  const element = document.createElement('div')
  document.body.append(element)
  return { server, element }
}

/** Renders in a browser, and lets happen what follows from it. */
async function render(
  t: Test,
  draw: (seen: SessionContextValue<boolean>[]) => ReactNode,
  session = true
): Promise<Screen> {
  const { server, element } = prepare(t)
  if (!session) server.session = null
  const seen: SessionContextValue<boolean>[] = []
  const root: Root = createRoot(element)
  // What `act` returns only looks like a promise: tap waits for real ones.
  const show = async (node: ReactNode): Promise<void> => {
    await act(async () => {
      root.render(node)
      await settled()
    })
  }
  const remove = async (): Promise<void> => {
    await act(async () => root.unmount())
  }
  t.teardown(remove)
  await show(draw(seen))
  return { server, seen, show, remove, text: () => element.textContent ?? '' }
}

/** Rendering in a browser, and taking over what a server rendered. */
export function testRendering(root: Test, major: string): void {
  root.equal(version.split('.')[0], major, 'the React under test')

  /** React's complaints are failures. */
  const test = (name: string, body: (t: Test) => Promise<void>): void => {
    root.test(name, async (t) => {
      const errors = catchErrors(t)
      await body(t)
      t.same(errors, [], 'nothing on the console')
    })
  }

  test('a page reads the session once and shows it', async (t) => {
    const { server, seen, text } = await render(t, (seen) => <Page seen={seen} />)
    t.equal(text(), 'authenticated Ada')
    t.same(server.requested(), ['GET /api/auth/session'])
    t.same(
      seen.map(({ status }) => status),
      ['loading', 'authenticated']
    )
  })

  test('StrictMode reads once too', async (t) => {
    const { server, text } = await render(t, () => (
      <StrictMode>
        <Page />
      </StrictMode>
    ))
    t.equal(text(), 'authenticated Ada')
    t.equal(server.requests.length, 1)
  })

  test('server-rendered markup is hydrated unchanged', async (t) => {
    for (const session of [undefined, null, ada]) {
      await t.test(JSON.stringify(session?.user ?? session) ?? 'not known', async (t) => {
        const { server, element } = prepare(t)
        element.innerHTML = renderToString(<Page session={session} />)
        const [before] = element.children
        const seen: SessionContextValue<boolean>[] = []
        const root = await act(async () => {
          const root = hydrateRoot(element, <Page session={session} seen={seen} />, {
            onRecoverableError: (error) => t.error(error, 'no difference was found')
          })
          await settled()
          return root
        })
        t.equal(element.children[0], before, 'the element is the one of the server')
        t.equal(server.requests.length, session === undefined ? 1 : 0)
        t.equal(seen.length, session === undefined ? 2 : 1)
        await act(async () => root.unmount())
      })
    }
  })

  test('when nothing changed nothing is rendered again', async (t) => {
    const { server, seen } = await render(t, (seen) => <Page session={ada} seen={seen} />)
    await act(async () => {
      await getSession()
      listenLikeNextAuth()
      await settled()
    })
    t.equal(server.requests.length, 2)
    t.equal(seen.length, 1)
  })

  test('a page that renders again for its own reasons does not touch who uses the session', async (t) => {
    const draw = (seen: SessionContextValue<boolean>[]): ReactNode => (
      <SessionProvider session={ada}>
        <Once seen={seen} />
      </SessionProvider>
    )
    const { seen, show } = await render(t, draw)
    await show(draw(seen))
    t.equal(seen.length, 1)
  })

  test('what getSession finds is shown', async (t) => {
    const { server, text } = await render(t, () => <Page session={ada} />)
    server.session = grace
    await act(() => getSession())
    t.equal(text(), 'authenticated Grace')
  })

  test('signing in and out without a redirect is shown', async (t) => {
    const { server, text } = await render(t, () => <Page session={null} />)
    server.session = ada
    const result = await act(() => signIn<'credentials'>('credentials', { username: 'ada', redirect: false }))
    t.match(result, { ok: true, error: null })
    t.equal(text(), 'authenticated Ada')
    server.session = null
    t.match(await act(() => signOut({ redirect: false })), { url: String })
    t.equal(text(), 'unauthenticated no one')
    t.same(page.visited, [])
  })

  test('an update is shown', async (t) => {
    const { server, seen, text } = await render(t, (seen) => <Page session={ada} seen={seen} />)
    server.session = grace
    const gate = server.hold()
    await act(async () => {
      seen[0]?.update({ name: 'Grace' })
      await gate.release()
    })
    t.equal(text(), 'loading Ada')
    await act(async () => {
      await gate.release()
      await gate.release()
    })
    t.equal(text(), 'authenticated Grace')
    t.equal(seen.length, 3)
  })

  test('a missing required session redirects to the sign-in page, under the base path', async (t) => {
    t.teardown(() => configure({ basePath: '/api/auth' }))
    const { seen, text } = await render(
      t,
      (seen) => (
        <SessionProvider basePath="/id/auth">
          <Greeting required seen={seen} />
        </SessionProvider>
      ),
      false
    )
    const query = new URLSearchParams({ error: 'SessionRequired', callbackUrl: page.href })
    t.same(page.visited, [`/id/auth/signin?${query}`])
    t.equal(text(), 'loading no one', 'it is never unauthenticated')
    t.equal(seen.length, 2)
    t.notOk(seen.some(({ status }) => status === 'unauthenticated'))
  })

  test('a missing required session calls onUnauthenticated instead', async (t) => {
    let calls = 0
    const { text } = await render(t, () => (
      <SessionProvider session={null}>
        <Greeting
          required
          onUnauthenticated={() => {
            calls += 1
          }}
        />
      </SessionProvider>
    ))
    t.equal(calls, 1)
    t.same(page.visited, [])
    t.equal(text(), 'loading no one')
  })

  test('a required session that is there, or not known yet, finds nothing', async (t) => {
    const { text } = await render(t, () => (
      <SessionProvider>
        <Greeting required />
      </SessionProvider>
    ))
    t.equal(text(), 'authenticated Ada')
    t.same(page.visited, [])
  })

  test('a test may provide the session itself', async (t) => {
    const value: SessionContextValue = { data: grace, status: 'authenticated', update: async () => null }
    const { server, text } = await render(t, () => (
      <SessionContext.Provider value={value}>
        <Greeting />
      </SessionContext.Provider>
    ))
    t.equal(text(), 'authenticated Grace')
    t.same(server.requested(), [])
  })

  test('a provider that no longer exists reads no more', async (t) => {
    const { server, remove } = await render(t, () => <Page session={ada} />)
    await remove()
    listenLikeNextAuth()
    await settled()
    t.same(server.requested(), [])
  })
}
