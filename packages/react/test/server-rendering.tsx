import type { Session } from '@postern/core'
import { version } from 'react'
import { renderToString } from 'react-dom/server'
import type { Test } from 'tap'
import { getUrl } from '../src/endpoint.ts'
import { Greeting, Page } from './greeting.tsx'
import { ada, catchErrors, grace } from './server.ts'

const text = (html: string): string => html.replaceAll(/<[^>]*>/g, '')

/** Rendering without a browser. */
export function testServerRendering(t: Test, major: string): void {
  t.equal(version.split('.')[0], major, 'the React under test')

  t.test('a server renders the given session', async (t) => {
    const errors = catchErrors(t)
    const cases: readonly [session: Session | null | undefined, expected: string][] = [
      [undefined, 'loading no one'],
      [null, 'unauthenticated no one'],
      [ada, 'authenticated Ada']
    ]
    for (const [session, expected] of cases) {
      t.equal(text(renderToString(<Page session={session} refetchInterval={5} />)), expected)
    }
    t.same(errors, [])
  })

  t.test('a visitor never sees the session of another one that is rendered at the same moment', async (t) => {
    const both = renderToString(
      <>
        <Page session={ada} />
        <Page session={grace} />
        <Page />
      </>
    )
    t.equal(text(both), 'authenticated Adaauthenticated Graceloading no one')
  })

  t.test('the base path of one page does not affect other requests', async (t) => {
    renderToString(<Page session={ada} basePath="/elsewhere" />)
    t.equal(getUrl('session'), 'http://localhost:3000/api/auth/session')
  })

  t.test('without a provider, the error names it', async (t) => {
    catchErrors(t)
    t.throws(() => renderToString(<Greeting />), { message: /expected a <SessionProvider>/ })
  })
}
