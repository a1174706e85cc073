import { fewInTurn } from '../selections.ts'
import { fromAfar, origin, start } from '../start.ts'
import type { Replay } from './replay.ts'

const words = 'Your account was locked, call 555 0199'
const hostile = [
  '<script>alert(1)</script>',
  '"onmouseover="alert(1)',
  "'><img src=x onerror=alert(1)>",
  words,
  'javascript:alert(1)',
  '</title><h1>x',
  'AccessDenied"><b>',
  '\r\nset-cookie: a=b',
  'Your.account.was.locked.call.555-0199'
]

const names = [
  'error',
  'reason',
  'error_description',
  'error_hint',
  'error_uri',
  'ref',
  'provider',
  'type',
  'callbackUrl',
  'email',
  'csrf'
]

/** In `npm test` each parameter has one of the values, the next parameter the next one. */
const someValues = fewInTurn(1)

export const pages: readonly Replay[] = [
  [
    'A24',
    'a parameter of the address puts words or code on a page',
    async (t) => {
      const { browser: first, newBrowser } = await start(t)
      for (const path of ['signin', 'error', 'signout', 'verify-request']) {
        const plain = await first.followAll(await first.open(`/api/auth/${path}?error=Unheard`))
        const elements = plain
          .html()
          .querySelectorAll('*')
          .map(({ tagName }) => tagName)
        for (const name of names) {
          for (const value of someValues(hostile)) {
            for (const query of [
              new URLSearchParams({ error: 'Unheard', [name]: value }),
              new URLSearchParams([
                ['error', 'Unheard'],
                [`${name}[]`, value],
                [name, value],
                [name, value]
              ])
            ]) {
              const browser = newBrowser()
              const page = await browser.followAll(await browser.open(`/api/auth/${path}?${query}`))
              const shown = page.html()
              const label = `${path}?${name}=${JSON.stringify(value)}`
              if (name !== 'callbackUrl' && page.body.includes(value)) t.fail(`${label} is in the page`)
              if (/555.0199/.test(shown.text)) t.fail(`${label} puts words on the page`)
              const difference = shown.querySelectorAll('*').map(({ tagName }) => tagName)
              if (name !== 'error' && name !== 'reason' && name !== 'provider')
                t.same(difference, elements, `${label}: the same elements`)
            }
          }
        }
        t.pass(path)
      }
    }
  ],
  [
    'A95',
    'the provider’s error description is put on a page',
    async (t) => {
      const { browser } = await start(t)
      for (const value of someValues(hostile)) {
        await browser.submit('/api/auth/signin/demo', {})
        const response = await browser.submit('/api/auth/signin/demo', {})
        const state = new URL(response.location ?? '').searchParams.get('state') ?? ''
        const query = new URLSearchParams({
          state,
          iss: 'https://issuer.test',
          error: value,
          error_description: value,
          error_uri: value,
          error_hint: value
        })
        const back = await browser.open(`/api/auth/callback/demo?${query}`, { headers: fromAfar })
        t.match(back.location, new RegExp(`^${origin}/api/auth/signin\\?error=OAuthCallback(&|$)`))
        const page = await browser.followAll(back)
        t.notOk(
          page.body.includes(value) || back.location?.includes(encodeURIComponent(value).slice(0, 12)),
          JSON.stringify(value)
        )
      }
    }
  ]
]
